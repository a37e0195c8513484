// The distinct outputs of executions that came to their end, and how often each came.
#pragma once

#include <map>
#include <string>

#include "explore/explorer.h"
#include "runtime/explored_program.h"

namespace heddle {

class OutputCollector final : public ExplorationListener {
 public:
  explicit OutputCollector(const explored::Program& program) : program_(program) {}

  bool on_execution(const Execution&) override {
    if (!program_.over()) return true;
    const char* text = nullptr;
    const std::size_t size = program_.output(&text);
    const std::string output(text, size < kLongest ? size : kLongest);
    const auto found = counts_.find(output);
    if (found != counts_.end()) {
      ++found->second;
    } else if (counts_.size() < kMost) {
      counts_.emplace(output, 1);
    } else {
      ++left_out_;
    }
    return true;
  }
  bool on_failure(const Execution&, Failure) override { return true; }

  const std::map<std::string, std::uint64_t>& counts() const { return counts_; }
  // Executions with still other outputs.
  std::uint64_t left_out() const { return left_out_; }

 private:
  static constexpr std::size_t kMost = 1000;
  static constexpr std::size_t kLongest = 4096;  // of an output, as far as it is kept

  const explored::Program& program_;
  std::map<std::string, std::uint64_t> counts_;
  std::uint64_t left_out_ = 0;
};

}  // namespace heddle
