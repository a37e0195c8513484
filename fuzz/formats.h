// The trace formats that are fuzzed, and what has to hold for whatever is read.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "fuzz/mutate.h"
#include "trace/trace.h"

namespace heddle::fuzz {

struct Recovered {
  Trace trace;
  bool damaged = false;
};

// To fuzz another format, add its row to kFormats in formats.cpp.
struct Format {
  std::string_view name;
  // A file of this format that the mutations start from.
  std::string (*make_seed)(const Trace& trace, Random& random);
  Result<Recovered> (*read)(std::string_view bytes);
  // A mutation that knows the format, to get behind checksums and parsers.
  std::string (*mutate_inside)(std::string_view bytes, std::string_view other, Random& random);
  // How many events at the end of a truncated file may differ from the original's: a
  // text line that is cut may still be a line.
  std::size_t events_lost_to_a_cut;
};

std::span<const Format> formats();

// Ends the program unless the trace that was read can be written and read again, which
// it can only if every number in it is defined.
void check_sound(const Trace& trace);

}  // namespace heddle::fuzz
