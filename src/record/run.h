// One run of the program under the gate: starts it, takes its events as they come, and says
// how it ended.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "record/process_run.h"
#include "record/translator.h"
#include "runtime/wire.h"

namespace heddle {

// `stopped`: by Heddle, early; `reached`: before the event that was to be stopped at; `hung`:
// nothing happened for long.
enum class Ending { exited, killed, deadlock, diverged, stopped, reached, hung };

// A thread that could not go on where the run ended.
struct WaitingThread {
  std::string thread;
  std::string operation;  // "acquire total_lock"
  std::string holder;     // "" when nobody holds it, or several do
  std::string site;       // "bank.cpp:15"
  std::string words;      // all of it
};

struct RunResult {
  Ending ending = Ending::exited;
  int status = 0;                    // exit status, or number of the signal
  std::string message = {};          // why the runtime ended it, if it did
  std::string words;                 // "exit status 0", "killed by SIGSEGV", "deadlock"
  std::vector<std::string> details;  // of a deadlock: who waits for what
  std::vector<WaitingThread> waiting;
  std::vector<std::string> unseen;
  std::map<std::string, std::string> thread_names;  // what the program calls its threads
  std::string source_folder;                        // file names are relative to it
  std::optional<DivergedThread> diverged;
  ProcessEnd process = {};
  std::uint64_t late_shared = 0;  // places with earlier accesses that were left out by mistake

  // As shells say it.
  int exit_status() const { return ending == Ending::killed ? 128 + status : status; }
};

// Takes events as they come; `false` ends the run early. The tables may be let forget what is no
// longer needed.
using TakeEvents = std::function<Result<bool>(Tables& tables, std::span<const EventRecord> events)>;

// `finish` is called at the end, with the tables still alive.
using FinishRun = std::function<Result<void>(const Tables& tables, const RunResult& result)>;

// Sees the records before they become events; `false` when no more events are wanted, while the
// program runs on.
using LookAtRecords = std::function<bool(std::span<const wire::Record>)>;

Result<RunResult> run_program(const RunOptions& options, const TakeEvents& take,
                              const FinishRun& finish, const LookAtRecords& look = {});

}  // namespace heddle
