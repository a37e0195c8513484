// Findings that a user has seen and does not want to see again, in the format of the thread
// sanitizer's suppression files, which are accepted as they are:
//
//   # the counter is only shown
//   race:Statistics::mean
//   deadlock:vendor/*.cpp
//   finding:3f2a90c1d04e          (this one only, by its number; Heddle's own)
//
// A pattern is looked for anywhere in a text; ^ and $ tie it to its beginning and end, and *
// stands for anything. The texts of a finding are the functions and files of its events and
// their callers, and the variables and locks that they are about.
//
// The sanitizer's types thread, signal and called_from_lib are about what Heddle never
// reports; they are read and do nothing, and are not called unused.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "finding/finding.h"

namespace heddle {

struct Suppression {
  std::string type;
  std::string pattern;
  std::string place;  // "supp.txt:3"
  std::uint64_t hits = 0;
};

// Whether a pattern of such a file matches a text.
bool suppression_matches(std::string_view pattern, std::string_view text);

class Suppressions {
 public:
  // Adds the entries of a file.
  Result<void> read(const std::string& path);
  Result<void> parse(std::string_view text, const std::string& name);

  // Whether an entry covers the finding; counts it there.
  bool cover(const Finding& finding, std::string_view id);

  // Entries that could have covered something, and did not.
  std::vector<Suppression> unused() const;

 private:
  Result<void> add_line(std::string_view line, const std::string& place);

  std::vector<Suppression> entries_;
};

// The entry that covers this finding and no other, with a line that says what it is.
std::string suppression_entry(const Finding& finding, std::string_view id);

}  // namespace heddle
