// The first line about a finding, folded to the terminal's width: what kind, and what happened.
#pragma once

#include "cli/output.h"
#include "finding/finding.h"
#include "report/column_layout.h"

namespace heddle {

inline void print_title(const Finding& finding) {
  const std::string_view kind = name_of(finding.kind);
  const std::string whole = fmt::format("{}: {}", kind, finding.message);
  std::string text = fmt::format("{}\n", fmt::join(fold(whole, terminal_width()), "\n"));
  text.replace(0, kind.size(), coloured(Colour::red, kind));
  print_text(text);
}

}  // namespace heddle
