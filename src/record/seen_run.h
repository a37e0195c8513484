// What a user sees of a run: what the program prints, and how it ends. Two runs are compared in
// this, to say whether a difference inside reaches somebody outside.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "record/run.h"

namespace heddle {

struct SeenRun {
  std::string printed;  // standard output and error, as they came
  std::string ending;   // "exit status 0"
};

// Whether the program came to an end of its own, by an exit, a signal or a deadlock; what a run
// that Heddle ended would have shown in the end is not known.
bool ended_by_itself(const RunResult& result);

enum class PrintedChange : std::uint8_t {
  none,
  order,  // the same lines, in another order
  lines,  // other lines
};

// What somebody sees who has seen another run before.
struct SeenChange {
  PrintedChange printed = PrintedChange::none;
  std::string line;        // the first that differs; empty: there is none at that place
  std::string other_line;  // of the other run
  std::string ending;
  std::string other_ending;
  std::string assertion;  // that failed, if the program says so: "balance == 130"

  bool ends_otherwise() const { return ending != other_ending; }
  bool any() const { return printed != PrintedChange::none || ends_otherwise(); }
};

SeenChange seen_change(const SeenRun& run, const SeenRun& other);

// A file in memory, for what a program prints (Launch::output).
class PrintedText {
 public:
  static Result<PrintedText> create();
  PrintedText(PrintedText&& other) noexcept : descriptor_(other.descriptor_) {
    other.descriptor_ = -1;
  }
  PrintedText& operator=(PrintedText&&) = delete;
  ~PrintedText();

  int descriptor() const { return descriptor_; }
  // The beginning, of a text that is very long.
  std::string text() const;

 private:
  explicit PrintedText(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace heddle
