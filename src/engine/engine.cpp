// The search inside the program's process: makes the explorer that the channel asks for, lets
// it run over the program, and leaves in the channel what came of it (docs of the lines:
// src/record/search_result.h).
#include <optional>

#include <fmt/format.h>

#include "engine/forked_program.h"
#include "engine/native_system.h"
#include "engine/output_collector.h"
#include "engine/paused.h"
#include "engine/result_writer.h"
#include "explore/algorithms.h"
#include "explore/estimate.h"
#include "explore/findings.h"
#include "explore/listeners.h"
#include "explore/strategies.h"
#include "explore/time_limit.h"
#include "explore/wrong.h"
#include "runtime/wire.h"

namespace heddle {
namespace {

// Counts executions where the host can see it, and ends the search when there were enough.
class Meter final : public ExplorationListener {
 public:
  explicit Meter(wire::Header& channel) : channel_(channel) {}

  bool on_execution(const Execution& execution) override {
    estimate_.on_execution(execution);
    return count();
  }
  bool on_dropped(const Execution& execution) override {
    estimate_.on_dropped(execution);
    return count();
  }
  bool on_failure(const Execution&, Failure) override { return true; }
  bool is_over() const { return over_; }

 private:
  bool count() {
    const std::uint64_t executions = channel_.executions.fetch_add(1) + 1;
    if (executions % 1024 == 0) {
      estimate_.sample();
      channel_.estimate.store(estimate_.agreed().value_or(0));
    }
    over_ = channel_.search.max_executions != 0 && executions >= channel_.search.max_executions;
    return !over_;
  }

  wire::Header& channel_;
  TraceEstimate estimate_;
  bool over_ = false;
};

std::unique_ptr<Explorer> make_explorer(const wire::SearchSettings& settings, System& system,
                                        ExplorationListener& listener) {
  const ExploreOptions options{.max_steps = settings.max_steps};
  const RandomOptions random{.executions = settings.executions, .seed = settings.seed};
  const std::string_view name = settings.strategy;
  if (name == "random") return make_random_explorer(system, listener, options, random);
  if (name == "pct") return make_pct_explorer(system, listener, options, random, settings.depth);
  if (name == "preemptions") {
    return make_preemptions_explorer(system, listener, options, settings.max_preemptions);
  }
  return algorithm_named(name)->make(system, listener, options);
}

std::chrono::steady_clock::time_point deadline(double seconds) {
  using Clock = std::chrono::steady_clock;
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(std::min(seconds, 1e9)));
}

// Where chance decides, a thread that is left behind is not taken further in another execution.
bool stops_spinning(const wire::SearchSettings& settings) {
  const std::string_view name = settings.strategy;
  return name != "random" && name != "pct";
}

// Remembers the steps of the last execution.
class LastSteps final : public ExplorationListener {
 public:
  bool on_execution(const Execution& execution) override { return keep(execution); }
  bool on_dropped(const Execution& execution) override { return keep(execution); }
  bool on_failure(const Execution&, Failure) override { return true; }
  const std::vector<Transition>& steps() const { return steps_; }

 private:
  bool keep(const Execution& execution) {
    steps_.clear();
    for (Execution::EventIndex e = 0; e < execution.size(); ++e) {
      steps_.push_back(execution.transition(e));
    }
    return true;
  }

  std::vector<Transition> steps_;
};

class Search {
 public:
  Search(const explored::Program& program, wire::Header& channel)
      : program_(program),
        channel_(channel),
        system_(program, stops_spinning(channel.search)),
        result_(channel) {}

  void run() {
    // Those that main() starts at once are there already.
    std::size_t threads = std::max<std::size_t>(8, program_.thread_count());
    std::size_t objects = 256;
    while (!run_with(threads, objects)) {
      threads = std::max(threads, system_.threads_seen());
      if (system_.objects_seen() >= objects) objects = system_.objects_seen() * 2;
      channel_.executions.store(0);
      result_.clear();
    }
    result_.close();
  }

 private:
  // False when the search has to start again.
  bool run_with(std::size_t threads, std::size_t objects) {
    try {
      system_.begin(threads, objects);
      if (system_.threads_seen() < threads && !sized_) {
        // The tables are as wide as there are threads: find out how many, in one execution.
        sized_ = true;
        run_once();
        return run_with(system_.threads_seen(), std::max(objects, system_.objects_seen() * 2));
      }
      sized_ = true;
      explore();
    } catch (const StartAgain&) {
      return false;
    } catch (const Diverged& diverged) {
      result_.line("diverged {}\t{}\t{}", diverged.step, diverged.expected, diverged.came);
    }
    return true;
  }

  void run_once() {
    for (std::size_t steps = 0; steps < channel_.search.max_steps; ++steps) {
      std::uint32_t thread = 0;
      const auto count = static_cast<std::uint32_t>(system_.thread_count());
      while (thread < count && system_.readiness(ThreadId(thread)) != Readiness::ready) ++thread;
      if (thread == count) return;
      system_.step(ThreadId(thread), 0);
    }
  }

  void explore() {
    if (system_.failed_at_start() != Failure::none) {
      report_start();
      if (channel_.search.keep_going == 0) return end_at_start();
    }
    if (channel_.search.paused != 0) return explore_behind_schedule();
    FindingCollector collector(system_, {.keep_going = channel_.search.keep_going != 0});
    LastSteps last_steps;
    ListenerGroup listeners;
    listeners.add(collector);
    if (channel_.search.tells_steps != 0) listeners.add(last_steps);
    explore(system_, listeners);
    for (const Witness& witness : collector.witnesses()) result_.witness(witness);
    if (channel_.search.tells_steps != 0) result_.steps("ran", last_steps.steps());
  }

  // Behind the channel's schedule, for races of one thread, which is paused there or not.
  void explore_behind_schedule() {
    const wire::Run* const schedule = wire::schedule_of(&channel_);
    std::vector<Transition> steps;
    for (std::uint64_t i = 0; i < channel_.schedule_runs; ++i) {
      const std::uint32_t choice = static_cast<std::uint32_t>(schedule[i].events) - 1;
      steps.push_back({ThreadId(schedule[i].thread), choice});
    }
    system_.search_from(steps.size());
    FindingCollector collector(system_, {.keep_going = true});
    if (!take_steps(system_, steps, collector)) return result_.line("end strayed");
    const ThreadId paused(channel_.search.paused - 1);
    const ThreadId first =
        channel_.search.first == 0 ? ThreadId::none() : ThreadId(channel_.search.first - 1);
    const bool leaves_out = channel_.search.leaves_out_paused != 0;
    PausedView view(system_, leaves_out ? paused : ThreadId::none(), first);
    PausedRaces races(view, paused);
    explore(view, races);
    for (const Witness& witness : races.witnesses()) {
      std::vector<Transition> whole = steps;
      for (const Transition& step : witness.schedule) {
        whole.push_back({view.inner(step.thread), step.choice});
      }
      system_.rewind(0);
      take_steps(system_, whole, collector);
    }
    for (const Witness& witness : collector.witnesses()) result_.witness(witness);
  }

  // The search itself, with the counters and the end as its result.
  void explore(System& system, ExplorationListener& listener) {
    Meter meter(channel_);
    ListenerGroup listeners;
    listeners.add(listener);
    listeners.add(meter);
    OutputCollector outputs(program_);
    if (channel_.search.collects_outputs != 0) listeners.add(outputs);
    std::optional<TimeLimit> limit;
    if (channel_.search.seconds > 0) {
      listeners.add(limit.emplace(deadline(channel_.search.seconds)));
    }
    const auto explorer = make_explorer(channel_.search, system, listeners);
    const bool finished = explorer->run();
    result_.counters(explorer->counters());
    result_.line("threads {}", system_.threads_seen());
    result_.line("restored {}", program_.restored_bytes());
    result_.line("unseen {}", program_.unseen());
    result_.line("notes {}", program_.notes());
    result_.outputs(outputs.counts());
    result_.line("outputs_left_out {}", outputs.left_out());
    const bool out_of_time = limit && limit->is_over();
    result_.line("end {}", finished          ? "finished"
                           : out_of_time     ? "time"
                           : meter.is_over() ? "executions"
                                             : "found");
  }

  void report_start() {
    Witness witness;
    witness.kind = kind_of(system_.failed_at_start());
    witness.message = system_.describe_last_step();
    result_.witness(witness);
  }

  void end_at_start() {
    result_.line("threads {}", system_.threads_seen());
    result_.line("end found");
  }

  const explored::Program& program_;
  wire::Header& channel_;
  NativeSystem system_;
  ResultWriter result_;
  bool sized_ = false;
};

}  // namespace
}  // namespace heddle

extern "C" __attribute__((visibility("default"))) void heddle_search(
    const heddle::explored::Program* program, void* channel) {
  auto& header = *static_cast<heddle::wire::Header*>(channel);
  const bool forks = header.search.resets_by_fork != 0;
  heddle::Search(forks ? heddle::in_forked_children(*program) : *program, header).run();
}
