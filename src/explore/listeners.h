// Several listeners to one search: each hears everything, and each may stop it.
#pragma once

#include <vector>

#include "explore/explorer.h"

namespace heddle {

class ListenerGroup final : public ExplorationListener {
 public:
  // The listeners must outlive the group.
  void add(ExplorationListener& listener) { listeners_.push_back(&listener); }

  bool on_execution(const Execution& execution) override {
    return all([&](ExplorationListener& listener) { return listener.on_execution(execution); });
  }
  bool on_dropped(const Execution& execution) override {
    return all([&](ExplorationListener& listener) { return listener.on_dropped(execution); });
  }
  bool on_failure(const Execution& execution, Failure failure) override {
    return all(
        [&](ExplorationListener& listener) { return listener.on_failure(execution, failure); });
  }

 private:
  template <typename Tell>
  bool all(const Tell& tell) {
    bool goes_on = true;
    for (ExplorationListener* listener : listeners_) goes_on = tell(*listener) && goes_on;
    return goes_on;
  }

  std::vector<ExplorationListener*> listeners_;
};

}  // namespace heddle
