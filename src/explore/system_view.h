// A system seen from the state where it stands: what came before is fixed, threads can be left
// out, and one of them can come first.
//
// A thread that is left out counts as finished. Explorers take the first thread where they have a
// choice, so the one that comes first is pushed ahead; it swaps numbers with thread 0.
#pragma once

#include <string>
#include <vector>

#include "system/system.h"

namespace heddle {

class SystemView : public System {
 public:
  // The thread that comes first may be none.
  SystemView(System& system, ThreadId first)
      : system_(system), base_(system.depth()), first_(first) {}

  // The thread as the system itself numbers it, and back.
  ThreadId inner(ThreadId thread) const {
    if (!first_.valid()) return thread;
    if (thread == ThreadId(0)) return first_;
    return thread == first_ ? ThreadId(0) : thread;
  }

  std::size_t thread_count() const override { return system_.thread_count(); }
  std::size_t object_count() const override { return system_.object_count(); }
  Readiness readiness(ThreadId thread) const override {
    const Readiness readiness = system_.readiness(inner(thread));
    const bool gone = readiness == Readiness::unborn || readiness == Readiness::finished;
    return !gone && leaves_out(inner(thread)) ? Readiness::finished : readiness;
  }
  void next_operation(ThreadId thread, Operation& operation) const override {
    system_.next_operation(inner(thread), operation);
  }
  Failure step(ThreadId thread, std::uint32_t choice) override {
    return system_.step(inner(thread), choice);
  }
  std::span<const Access> effects() const override { return system_.effects(); }
  void rewind(std::size_t depth) override { system_.rewind(base_ + depth); }
  std::size_t depth() const override { return system_.depth() - base_; }
  // What is certain may be a matter of threads that are left out.
  void certain_operations(ThreadId, std::size_t, OperationList& operations) const override {
    operations.clear();
  }
  bool spins_for_ever(ThreadId thread) const override {
    return system_.spins_for_ever(inner(thread));
  }
  std::uint32_t initial_count(SystemObject object) const override {
    return system_.initial_count(object);
  }
  std::uint64_t state_hash() const override { return system_.state_hash(); }
  std::string thread_name(ThreadId thread) const override {
    return system_.thread_name(inner(thread));
  }
  std::string object_name(SystemObject object) const override {
    return system_.object_name(object);
  }
  std::string describe_next(ThreadId thread) const override {
    return system_.describe_next(inner(thread));
  }
  std::string where_next(ThreadId thread) const override {
    return system_.where_next(inner(thread));
  }
  std::string why_blocked(ThreadId thread) const override {
    return system_.why_blocked(inner(thread));
  }
  std::string describe_last_step() const override { return system_.describe_last_step(); }

 protected:
  // The thread is numbered as the system itself does.
  virtual bool leaves_out(ThreadId) const { return false; }

  System& system_;
  std::size_t base_;

 private:
  ThreadId first_;
};

}  // namespace heddle
