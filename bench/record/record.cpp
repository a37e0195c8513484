// What recording costs: the slowdown of `heddle record` beside the one of the thread
// sanitizer.
//
// Every program of programs/ runs with one busy thread and with two, in turn plain, with the
// sanitizer, and recorded; the fastest of several rounds counts. Once it is recorded with --all.
// So the ratios compare what was measured side by side. The last columns: how large the trace is
// per event when it has no values, and the most memory that the recorder itself had.
//
//   build/release/bench/record/record [--rounds N] [PROGRAM...]
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace/binary_writer.h"
#include "trace/open.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

struct Measured {
  double seconds = 1e9;
  std::uint64_t peak = 0;  // bytes
};

// What the process had in memory at most, without its children; 0 when it is gone.
std::uint64_t peak_of(pid_t process) {
  std::ifstream status(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::strtoull(line.c_str() + 6, nullptr, 10) * 1024;
  }
  return 0;
}

pid_t start(const std::vector<std::string>& command) {
  const pid_t process = ::fork();
  if (process != 0) return process;
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execv(words[0], words.data());
  ::_exit(127);
}

Measured measure(const std::vector<std::string>& command, bool watch) {
  Measured measured;
  const auto begin = std::chrono::steady_clock::now();
  const pid_t process = start(command);
  int status = 0;
  while (watch && ::waitpid(process, &status, WNOHANG) == 0) {
    measured.peak = std::max(measured.peak, peak_of(process));
    ::usleep(2000);
  }
  if (!watch) ::waitpid(process, &status, 0);
  measured.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (status != 0) {
    fmt::print(stderr, "{} failed\n", fmt::join(command, " "));
    std::exit(1);
  }
  return measured;
}

void keep_fastest(Measured& best, const Measured& next) {
  best.seconds = std::min(best.seconds, next.seconds);
  best.peak = std::max(best.peak, next.peak);
}

struct TraceSize {
  std::uint64_t events = 0;
  std::uint64_t bytes = 0;  // without values
};

// Writes the trace again without its values.
Result<TraceSize> size_without_values(const std::string& path) {
  TRY(const auto source, open_trace(path));
  TRY(const auto writer, BinaryWriter::create(path + ".without-values"));
  TraceSize size;
  std::vector<EventRecord> batch;
  for (;;) {
    TRY_VOID(source->next(batch));
    if (batch.empty()) break;
    for (EventRecord& event : batch) {
      event.has_value = false;
      event.value = event.old_value = 0;
    }
    size.events += batch.size();
    TRY_VOID(writer->append(source->tables(), batch));
  }
  TRY_VOID(writer->finish(source->tables(), source->metadata()));
  size.bytes = writer->bytes_written();
  return size;
}

struct Row {
  Measured plain, sanitizer, recorded, everything;
  TraceSize size;
};

class Benchmark {
 public:
  Benchmark(std::string name, int threads, std::string folder)
      : name_(std::move(name)), threads_(std::to_string(threads)), folder_(std::move(folder)) {}

  Result<Row> run(int rounds) {
    Row row;
    for (int i = 0; i < rounds; ++i) {
      keep_fastest(row.plain, measure({program("plain"), threads_}, false));
      keep_fastest(row.sanitizer, measure({program("sanitizer"), threads_}, false));
      if (i == 0) keep_fastest(row.everything, record({"--all"}));
      keep_fastest(row.recorded, record({}));
    }
    TRY(row.size, size_without_values(trace()));
    return row;
  }

 private:
  std::string program(const char* variant) const {
    return fmt::format("{}/{}-{}", HEDDLE_BENCH_PROGRAMS, name_, variant);
  }
  std::string trace() const { return folder_ + "/trace.heddle"; }
  Measured record(const std::vector<std::string>& options) const {
    std::vector<std::string> words = {HEDDLE_PROGRAM, "record", "--quiet", "--out", trace()};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", program("heddle"), threads_});
    return measure(words, true);
  }

  std::string name_;
  std::string threads_;
  std::string folder_;
};

double mebibytes(const Measured& measured) {
  return static_cast<double>(measured.peak) / (1 << 20);
}

constexpr const char* kRow =
    "{:<18} {:>4} {:>8} {:>10} {:>9} {:>9} {:>10} {:>9} {:>7} {:>7} {:>7}\n";

void print_row(const std::string& name, int threads, const Row& row) {
  const double plain = row.plain.seconds;
  const auto times = [&](const Measured& measured) {
    return fmt::format("{:.1f}", measured.seconds / plain);
  };
  const double events = static_cast<double>(std::max<std::uint64_t>(1, row.size.events));
  fmt::print(fmt::runtime(kRow), name, threads, fmt::format("{:.3f}", plain), times(row.sanitizer),
             times(row.recorded), times(row.everything),
             fmt::format("{:.2f}", row.recorded.seconds / row.sanitizer.seconds), row.size.events,
             fmt::format("{:.2f}", static_cast<double>(row.size.bytes) / events),
             fmt::format("{:.0f}", mebibytes(row.recorded)),
             fmt::format("{:.0f}", mebibytes(row.everything)));
  std::fflush(stdout);
}

void print_heads() {
  fmt::print(fmt::runtime(kRow), "", "", "", "slowdown", "", "", "record /", "", "bytes /", "MiB",
             "MiB");
  fmt::print(fmt::runtime(kRow), "program", "busy", "seconds", "sanitizer", "record", "--all",
             "sanitizer", "events", "event", "record", "--all");
}

const std::vector<std::string> kPrograms = {"locks", "producer_consumer", "short_threads",
                                            "atomics", "allocation"};

Result<void> run_all(const std::vector<std::string>& programs, int rounds) {
  std::string folder = (fs::temp_directory_path() / "heddle-bench-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return make_error("cannot make {}", folder);
  print_heads();
  for (const std::string& name : programs) {
    for (const int threads : {1, 2}) {
      TRY(const Row row, Benchmark(name, threads, folder).run(rounds));
      print_row(name, threads, row);
    }
  }
  fs::remove_all(folder);
  return {};
}

int run(int count, char** arguments) {
  std::vector<std::string> programs;
  int rounds = 3;
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(arguments[i], "--rounds") == 0 && i + 1 < count) {
      rounds = std::atoi(arguments[++i]);
    } else {
      programs.emplace_back(arguments[i]);
    }
  }
  const auto done = run_all(programs.empty() ? kPrograms : programs, std::max(1, rounds));
  if (!done.ok()) fmt::print(stderr, "{}\n", done.error().message);
  return done.ok() ? 0 : 1;
}

}  // namespace
}  // namespace heddle

int main(int count, char** arguments) { return heddle::run(count, arguments); }
