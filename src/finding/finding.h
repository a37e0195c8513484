// A finding: what went wrong, the schedule that shows it, and what it was found on.
//
// Everything is words and numbers: a finding outlives the system that it was made from, is
// written to a file, and read again by a `heddle replay` that has nothing else. So threads
// are named, not numbered, and messages contain no path, which may be another one next time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace heddle {

enum class FindingKind : std::uint8_t {
  assertion,
  out_of_range,
  misuse,
  deadlock,
  livelock,  // a thread spins for ever, the others are over or wait
  race,
  atomicity,       // a remote access between two that belong together
  nondeterminism,  // a read that can see another write
  crash,           // a signal that ends the program
  exit_status,     // the program ended with another status than 0
  memory,          // freed twice, or used after it was freed
};
inline constexpr std::array<std::string_view, 11> kFindingKindNames = {
    "assertion", "out-of-range",   "misuse", "deadlock",    "livelock", "race",
    "atomicity", "nondeterminism", "crash",  "exit-status", "memory"};
constexpr std::string_view name_of(FindingKind kind) {
  return kFindingKindNames[static_cast<std::size_t>(kind)];
}

// None: there is no such kind.
std::optional<FindingKind> finding_kind_named(std::string_view name);

// An event that matters: the step that failed and what it saw, the two accesses of a race,
// what each thread of a deadlock waits for.
struct FindingEvent {
  std::string thread;
  std::string site;                        // "bank.hm:12:3"
  std::string operation;                   // as in the source: "balance += amount"
  std::string values;                      // what it did: "balance := 30"; or why it cannot happen
  std::optional<std::uint64_t> step = {};  // in the schedule, from 1; none: it would come next
  std::vector<std::string> stack = {};     // "deposit(int)  bank.cpp:14", innermost first

  friend bool operator==(const FindingEvent&, const FindingEvent&) = default;
};

struct ScheduleStep {
  std::uint32_t thread = 0;    // in Finding::threads
  std::uint32_t choice = 0;    // in which of its ways the operation happens
  std::string operation = {};  // what is expected to happen; empty: not recorded

  friend bool operator==(const ScheduleStep&, const ScheduleStep&) = default;
};

struct ModelSubject {
  std::string path;
  std::string text_hash;  // of the file's text, see text_hash()
  std::vector<std::pair<std::string, std::int64_t>> definitions = {};
  std::string granularity = "statement";

  friend bool operator==(const ModelSubject&, const ModelSubject&) = default;
};

struct ProgramSubject {
  std::vector<std::string> command;
  std::string build_id;
  // In the order in which the schedule creates them: that is how the runtime numbers them.
  std::vector<std::string> threads = {};
  // The memory whose accesses are steps of the schedule; none: all accesses are.
  std::optional<std::string> shared = {};
  // Among which values the choices of the schedule are, "LOW..HIGH"; none: 0 and 1.
  std::optional<std::string> nondet = {};
  bool prints = false;             // printing is a step of the schedule
  std::string source_folder = {};  // that file names are relative to; empty: not known

  friend bool operator==(const ProgramSubject&, const ProgramSubject&) = default;
};

enum class Confirmation : std::uint8_t {
  none,    // a prediction: nobody has seen it happen
  replay,  // the schedule was run on a fresh system, and it happened
};

struct Finding {
  FindingKind kind = FindingKind::assertion;
  std::string message;
  std::vector<FindingEvent> events;
  std::vector<std::string> threads;  // of the schedule, in the order of their first steps
  std::vector<ScheduleStep> schedule;
  std::variant<ModelSubject, ProgramSubject> subject;
  std::string found_by;  // the subcommand
  Confirmation confirmed = Confirmation::none;
  std::string id = {};  // finding/fingerprint.h; empty: it was not numbered

  void add_step(std::string_view thread, std::uint32_t choice, std::string operation = {});

  friend bool operator==(const Finding&, const Finding&) = default;
};

// XXH3 of the text, 64 bits as 16 hexadecimal digits.
std::string text_hash(std::string_view text);

}  // namespace heddle
