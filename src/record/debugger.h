// gdb around the program: stops where the runtime stops (runtime/stop_point.h) and shows the
// line of the program there.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "record/launch.h"

namespace heddle {

class Debugger {
 public:
  // An error if there is no gdb.
  static Result<Debugger> find();
  Debugger(Debugger&& other) noexcept;
  ~Debugger();

  // The words in front of a command that run it under gdb. Good as long as this object.
  std::vector<std::string> words() const;
  void put_around(Launch& launch) const;

 private:
  Debugger(std::string path, int script) : path_(std::move(path)), script_(script) {}

  std::string path_;
  int script_;  // a memory file with what gdb does first
};

}  // namespace heddle
