#include "record/search.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <sstream>

#include <sys/wait.h>

#include "record/channel.h"
#include "record/debugger.h"
#include "record/running_place.h"

namespace heddle {
namespace {

constexpr std::uint64_t kNap = 20'000;  // microseconds
constexpr std::uint64_t kResultBytes = std::uint64_t{8} << 20;

std::uint64_t number_in(std::string_view text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::vector<SearchStep> schedule_in(const std::string& text) {
  std::vector<SearchStep> schedule;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t colon = word.find(':');
    schedule.push_back({static_cast<std::uint32_t>(number_in(word)),
                        static_cast<std::uint32_t>(number_in(word.substr(colon + 1)))});
  }
  return schedule;
}

// The engine writes an output as one line: "2 first\nsecond\n".
SearchOutput output_in(const std::string& text) {
  SearchOutput output;
  output.executions = number_in(text);
  for (std::size_t i = text.find(' ') + 1; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      output.text += text[i];
    } else {
      output.text += text[++i] == 'n' ? '\n' : '\\';
    }
  }
  return output;
}

// "race<tab>message<tab>thread<tab>pc<tab>other thread<tab>other pc"
SearchWitness witness_in(const std::string& line) {
  const std::vector<std::string> fields = fields_in(line, 6);
  return {.kind = fields[0],
          .message = fields[1],
          .thread = static_cast<std::uint32_t>(number_in(fields[2])),
          .other_thread = static_cast<std::uint32_t>(number_in(fields[4]))};
}

std::vector<wire::Run> runs_of(const std::vector<SearchStep>& steps) {
  std::vector<wire::Run> runs;
  for (const SearchStep& step : steps) {
    runs.push_back(
        {.thread = step.thread, .events = (step.choice + 1) & wire::kMaxRun, .first_kind = 0});
  }
  return runs;
}

void read_line(const std::string& line, SearchResult& result) {
  const std::size_t space = line.find(' ');
  const std::string key = line.substr(0, space);
  const std::string rest = space == std::string::npos ? "" : line.substr(space + 1);
  if (key == "witness") {
    result.witnesses.push_back(witness_in(rest));
  } else if (key == "schedule") {
    result.witnesses.back().schedule = schedule_in(rest);
  } else if (key == "ran") {
    result.ran = schedule_in(rest);
  } else if (key == "end") {
    result.end = rest;
  } else if (key == "diverged") {
    result.divergence = rest;
  } else if (key == "output") {
    result.outputs.push_back(output_in(rest));
  } else if (key != "site") {
    result.counters[key] = number_in(rest);
  }
}

Result<SearchResult> read_result(const Channel& channel, int wait_status) {
  const std::string_view text = channel.result();
  SearchResult result;
  std::istringstream lines{std::string(text)};
  bool complete = false;
  for (std::string line; std::getline(lines, line);) {
    complete = line == "complete";
    if (!complete) read_line(line, result);
  }
  if (complete) return result;
  if (!channel.message().empty()) return make_error("{}", channel.message());
  if (WIFSIGNALED(wait_status)) {
    return make_error("the program was killed by signal {} while it was explored",
                      WTERMSIG(wait_status));
  }
  return make_error("the program ended with status {} while it was explored",
                    WEXITSTATUS(wait_status));
}

void set_steps(wire::Settings& settings, const StepSettings& steps) {
  settings.nondet_low = steps.nondet.low;
  settings.nondet_high = steps.nondet.high;
  settings.prints_are_steps = steps.prints ? 1 : 0;
}

bool is_overdue(const SearchOptions& options, std::chrono::steady_clock::time_point start) {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  const double limit = options.settings.seconds;
  return limit > 0 && passed.count() > limit + options.patience;
}

// Whether one and the same step has been going on for so long. The runtime counts when a step
// begins and when it ends, so the number is odd in between.
class StepWatch {
 public:
  explicit StepWatch(double seconds) : limit_(seconds) {}

  bool is_stuck(std::uint32_t progress) {
    const auto now = std::chrono::steady_clock::now();
    if (progress != last_ || progress % 2 == 0) since_ = now;
    last_ = progress;
    return std::chrono::duration<double>(now - since_).count() > limit_;
  }

 private:
  double limit_;
  std::uint32_t last_ = 0;
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

class Child {
 public:
  explicit Child(pid_t process) : process_(process) {}
  ~Child() {
    if (process_ < 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  bool is_over() {
    if (process_ >= 0 && ::waitpid(process_, &status_, WNOHANG) == process_) process_ = -1;
    return process_ < 0;
  }
  int status() const { return status_; }

 private:
  pid_t process_;
  int status_ = 0;
};

}  // namespace

std::vector<std::string> fields_in(const std::string& line, std::size_t least) {
  std::vector<std::string> fields;
  std::istringstream words(line);
  for (std::string field; std::getline(words, field, '\t');) fields.push_back(field);
  fields.resize(std::max(fields.size(), least));
  return fields;
}

Result<SearchResult> run_search(const SearchOptions& options) {
  wire::Settings settings;
  settings.policy = wire::PolicyKind::explore;
  settings.selection = wire::Selection::nothing;
  set_steps(settings, options.steps);
  const std::vector<wire::Run> schedule = runs_of(options.schedule);
  TRY(Channel channel, Channel::create({.settings = settings,
                                        .schedule = schedule,
                                        .search = options.settings,
                                        .result_bytes = kResultBytes}));
  Launch launch_options = options.launch;
  launch_options.channel = channel.descriptor();
  launch_options.discard_output = true;
  launch_options.keep_output = options.settings.collects_outputs != 0;
  launch_options.bind_now = true;  // or it would be undone, and done again, in every execution
  TRY(const pid_t process, launch(launch_options));
  Child child(process);
  const auto start = std::chrono::steady_clock::now();
  StepWatch watch(options.step_seconds);
  while (!child.is_over()) {
    channel.wait(kNap);
    if (watch.is_stuck(channel.progress())) {
      const std::string place = place_of_running(process);
      return make_error(
          "a thread has been running for {} seconds without an operation that others see{}{}; is "
          "it in a loop that waits for plain memory to change? (--step-time allows more)",
          options.step_seconds, place.empty() ? "" : ", now in ", place);
    }
    if (is_overdue(options, start)) {
      return make_error("an execution does not come to its end");
    }
    if (options.progress) options.progress({channel.executions(), channel.estimate()});
  }
  if (!channel.attached()) {
    return make_error(
        "'{}' does not contain Heddle's runtime; build it with heddle-c++ (or heddle-cc)",
        options.launch.command[0]);
  }
  return read_result(channel, child.status());
}

Result<RecordedRun> record_steps(const std::vector<std::string>& command,
                                 const std::vector<SearchStep>& steps, const std::string& path,
                                 const StepSettings& step_settings, Under under) {
  RunOptions options;
  options.launch.command = command;
  options.launch.discard_output = under == Under::nothing;
  options.settings.policy = wire::PolicyKind::explore;
  options.settings.follows_steps = 1;
  set_steps(options.settings, step_settings);
  options.schedule = runs_of(steps);
  if (under == Under::nothing) return record_run(options, path);
  TRY(const Debugger debugger, Debugger::find());
  debugger.put_around(options.launch);
  options.settings.debugger = 1;
  return record_run(options, path);
}

}  // namespace heddle
