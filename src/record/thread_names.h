// What the program calls its threads: the name that it gave, else the function that they run.
//
// That function is the outermost one on the thread's first stacks that does not belong to a
// library's headers: "consumer" and not "std::thread::_State_impl::_M_run". A thread is
// defined in a trace before its first event, and tables do not change, so these names go into
// the metadata at the end of the run.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "trace/event.h"
#include "trace/tables.h"

namespace heddle {

class ThreadNames {
 public:
  // Costs nearly nothing once the threads' functions are known.
  void look_at(const Tables& tables, std::span<const EventRecord> events);
  // Names by thread; those that were `given` come first.
  std::map<ThreadId, std::string> names(const std::map<ThreadId, std::string>& given) const;

 private:
  void look_at(const Tables& tables, const EventRecord& event);

  std::vector<std::uint8_t> tries_left_;  // by thread; 0: nothing more to find out
  std::size_t undecided_ = 0;
  std::map<ThreadId, std::string> functions_;
};

// "consumer" of "consumer(int)", "main::{lambda(int)#1}" of its call operator.
std::string name_without_parameters(std::string_view function);

}  // namespace heddle
