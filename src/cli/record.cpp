// heddle record: runs a program under the gate and writes what happened into a trace.
#include "record/record.h"

#include <filesystem>
#include <map>
#include <memory>

#include "base/nearest.h"
#include "cli/commands.h"
#include "cli/output.h"

namespace heddle {
namespace {

struct RecordOptions {
  std::vector<std::string> command;
  std::string schedule = "random";
  std::uint64_t seed = 1;
  std::uint64_t runs = 1;
  std::uint64_t quantum = 0;
  std::uint32_t depth = 3;
  std::uint64_t steps = 10'000;
  std::string out = "heddle-out";
  bool verify = false;
  bool randomise = false;
  bool quiet = false;
  bool shared_only = true;
  std::uint64_t first_look = RunOptions().first_look;
};

const std::vector<std::string> kPolicies = {"random", "pct", "round-robin"};

bool is_file_name(const std::string& out) {
  return std::filesystem::path(out).extension() == ".heddle";
}

// heddle-out/prog.heddle, or prog-SEED.heddle when there are several.
std::string trace_path(const RecordOptions& options, std::uint64_t seed) {
  if (is_file_name(options.out) && options.runs == 1) return options.out;
  const std::string name = std::filesystem::path(options.command[0]).filename();
  const std::string file =
      options.runs == 1 ? name + ".heddle" : fmt::format("{}-{}.heddle", name, seed);
  return (std::filesystem::path(options.out) / file).string();
}

Result<RunOptions> run_options(const RecordOptions& options, std::uint64_t seed) {
  RunOptions run;
  run.launch.command = options.command;
  run.launch.randomise_addresses = options.randomise;
  run.warn = [](const std::string& line) { warn(line); };
  run.first_look = options.first_look;
  run.settings.seed = seed;
  run.settings.quantum = options.quantum;
  run.settings.depth = options.depth;
  run.settings.steps = options.steps;
  if (options.schedule == "random") {
    run.settings.policy = wire::PolicyKind::random;
  } else if (options.schedule == "pct") {
    run.settings.policy = wire::PolicyKind::pct;
  } else if (options.schedule == "round-robin") {
    run.settings.policy = wire::PolicyKind::round_robin;
  } else if (std::filesystem::exists(options.schedule)) {
    TRY(RunOptions followed, options_to_follow(options.schedule));
    run.settings = followed.settings;
    run.schedule = std::move(followed.schedule);
    run.shared = std::move(followed.shared);
  } else {
    const auto suggestion = nearest(options.schedule, kPolicies);
    return make_error(
        "no schedule '{}'{}; known are random, pct, round-robin, or a trace to follow",
        options.schedule, suggestion ? fmt::format("; did you mean '{}'?", *suggestion) : "");
  }
  return run;
}

void tell(const RecordOptions& options, const RecordedRun& recorded, const std::string& path) {
  const RunResult& result = recorded.result;
  if (result.ending == Ending::deadlock) {
    warn("deadlock: no thread can go on");
    for (const std::string& line : result.details) warn("  " + line);
  }
  if (result.diverged) warn("the schedule cannot be followed any further");
  if (result.late_shared > 0) {
    warn(fmt::format(
        "{} is incomplete: {} places lack earlier accesses, since a first run went another way; "
        "record with --all",
        path, result.late_shared));
  }
  if (options.quiet) return;
  if (!recorded.everything_because.empty()) {
    warn(fmt::format("recorded everything in one run: {}", recorded.everything_because));
  }
  warn(fmt::format("{}: {} events, {} bytes, {}", path, recorded.events, recorded.bytes,
                   result.words));
  if (result.process.left_out > 0) {
    warn(fmt::format("left out: {} accesses to memory that one thread at a time owns (--all)",
                     result.process.left_out));
  }
  for (const std::string& line : result.unseen) warn("not seen: " + line);
}

ExitStatus status_of(const RunResult& result) {
  switch (result.ending) {
    case Ending::exited:
    case Ending::killed: return static_cast<ExitStatus>(result.exit_status());
    case Ending::deadlock: return ExitStatus::found;
    case Ending::diverged:
    case Ending::reached:
    case Ending::stopped:
    case Ending::hung: break;
  }
  return ExitStatus::cannot_run;
}

// Replays what was recorded. What the program prints is not printed again.
bool verified(const RecordOptions& options, const std::string& path) {
  ReplayRunOptions replay;
  replay.launch.command = options.command;
  replay.launch.randomise_addresses = options.randomise;
  replay.launch.discard_output = true;
  const auto replayed = replay_run(path, replay);
  if (!replayed.ok()) {
    warn(replayed.error().message);
    return false;
  }
  if (!replayed->divergence) {
    if (!options.quiet) warn(fmt::format("{}: a replay gave the same events", path));
    return true;
  }
  warn(fmt::format("the replay of {} diverged at event {}: expected {}; came {}", path,
                   replayed->divergence->event, replayed->divergence->expected,
                   replayed->divergence->came));
  return false;
}

// How many runs ended in which way.
using Endings = std::map<std::string, std::uint64_t>;

void tell_endings(const RecordOptions& options, const Endings& endings) {
  std::vector<std::string> parts;
  for (const auto& [words, count] : endings) parts.push_back(fmt::format("{}: {}", words, count));
  warn(fmt::format("{} runs; {}", options.runs, fmt::join(parts, ", ")));
}

ExitStatus record_one(const RecordOptions& options, std::uint64_t seed, Endings& endings) {
  const auto run = run_options(options, seed);
  if (!run.ok()) return fail(ExitStatus::usage, run.error());
  const std::string path = trace_path(options, seed);
  const auto recorded = record_run(*run, path, options.shared_only);
  if (!recorded.ok()) return fail(ExitStatus::cannot_run, recorded.error());
  tell(options, *recorded, path);
  ++endings[recorded->result.words];
  if (options.verify && !verified(options, path)) return ExitStatus::cannot_run;
  return status_of(recorded->result);
}

// The first run that does not end well decides the status; the others are made all the same.
ExitStatus run(const RecordOptions& options) {
  if (options.command.empty()) return fail(ExitStatus::usage, "record: no program given");
  if (options.runs > 1 && is_file_name(options.out)) {
    return fail(ExitStatus::usage, "record: --out must be a folder where --runs is more than 1");
  }
  ExitStatus status = ExitStatus::ok;
  Endings endings;
  for (std::uint64_t i = 0; i < options.runs; ++i) {
    const ExitStatus one = record_one(options, options.seed + i, endings);
    if (one == ExitStatus::usage || one == ExitStatus::cannot_run) return one;
    if (status == ExitStatus::ok) status = one;
  }
  if (options.runs > 1 && !options.quiet) tell_endings(options, endings);
  return status;
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<RecordOptions>();
  app.add_option("COMMAND", options->command, "the program and its arguments, after --");
  app.add_option("--schedule", options->schedule,
                 "random, pct, round-robin, or a trace whose schedule to follow (default random)");
  app.add_option("--seed", options->seed, "seed of the schedule (default 1)");
  app.add_option("--runs", options->runs, "so many runs, with seeds one after the other")
      ->check(CLI::PositiveNumber);
  app.add_option("--quantum", options->quantum,
                 "at most (random) or exactly (round-robin) so many events before a switch");
  app.add_option("--depth", options->depth, "pct: orderings that a bug needs (default 3)");
  app.add_option("--steps", options->steps, "pct: expected number of events (default 10000)");
  app.add_option("--out", options->out,
                 "the folder of the traces, or a file that ends in .heddle (default heddle-out)");
  app.add_flag("--shared-only,!--no-shared-only,!--all", options->shared_only,
               "leave out accesses to memory that one thread at a time owns (the default); --all "
               "records everything, in one run");
  app.add_option("--first-look", options->first_look,
                 "events after which a scout makes a forecast of what is shared; 0: it runs to the "
                 "end (default 262144)");
  app.add_flag("--verify", options->verify, "replay the run and compare");
  app.add_flag("--randomise-addresses", options->randomise,
               "leave the kernel's address randomisation on");
  app.add_flag("--quiet", options->quiet, "say nothing about a run that went well");
  return [options] { return run(*options); };
}

}  // namespace

constinit const Command kRecordCommand = {
    .name = "record",
    .summary = "run a program, one thread at a time, and write what happens into a trace",
    .help =
        "The program must be built with heddle-c++ or heddle-cc. The same seed gives the same\n"
        "run and the same trace, byte for byte. Time is virtual: sleeping takes none.\n"
        "\n"
        "What one thread at a time owns is left out: memory that it alone touches, or that "
        "threads\n"
        "hand on by fork and join. To know it, the program runs first as a scout, which must not\n"
        "be noticed and is ended before it writes a file, reads a pipe, or does anything else "
        "that\n"
        "cannot be done twice; then everything is recorded in one run. Of a long run the scout\n"
        "sees the beginning, and what the program prints comes at its end.\n"
        "\n"
        "Exit status: the program's own (128 + n when signal n ended it), 42 after a deadlock,\n"
        "125 when Heddle could not do its part. What works and what does not is described in\n"
        "docs/runtime.md.",
    .declare = declare,
};

}  // namespace heddle
