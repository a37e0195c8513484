// Writes what came of a search into the channel, as lines of text.
#pragma once

#include <cstring>
#include <map>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "explore/findings.h"
#include "runtime/wire.h"

namespace heddle {

class ResultWriter {
 public:
  explicit ResultWriter(wire::Header& channel) : channel_(channel) {}

  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    add(fmt::format(format, std::forward<Args>(args)...));
    add("\n");
  }

  void witness(const Witness& witness) {
    line("witness {}\t{}", name_of(witness.kind), witness.message);
    for (const std::string& site : witness.sites) line("site {}", site);
    steps("schedule", witness.schedule);
  }

  void steps(std::string_view key, const std::vector<Transition>& steps) {
    std::string text(key);
    for (const Transition& step : steps) {
      text += fmt::format(" {}:{}", step.thread.value(), step.choice);
    }
    line("{}", text);
  }

  void counters(const ExploreCounters& counters) {
    line("traces {}", counters.traces);
    line("blocked {}", counters.blocked);
    line("cut {}", counters.cut);
    line("spinning {}", counters.spinning);
    line("transitions {}", counters.transitions);
    line("race_checks {}", counters.race_checks);
    line("dependency_checks {}", counters.dependency_checks);
    line("unsatisfiable_systems {}", counters.unsatisfiable_systems);
    line("sections {}", counters.sections);
    line("refused {}", counters.refused);
    line("longest {}", counters.longest);
  }

  void outputs(const std::map<std::string, std::uint64_t>& counts) {
    for (const auto& [text, count] : counts) line("output {} {}", count, in_one_line(text));
  }

  void clear() { channel_.result_size.store(0); }
  void close() { line("complete"); }

 private:
  static std::string in_one_line(std::string_view text) {
    std::string line;
    for (const char c : text) line += c == '\n' ? "\\n" : c == '\\' ? "\\\\" : std::string(1, c);
    return line;
  }

  void add(std::string_view text) {
    const std::uint64_t size = channel_.result_size.load();
    if (size + text.size() > channel_.result_bytes) return;
    std::memcpy(wire::result_of(&channel_) + size, text.data(), text.size());
    channel_.result_size.store(size + text.size());
  }

  wire::Header& channel_;
};

}  // namespace heddle
