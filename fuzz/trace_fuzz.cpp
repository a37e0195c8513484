// Feeds mutated trace files to the readers of every format.
//
//   trace_fuzz [--inputs N] [--seed N] [FILE...]     (FILEs are read instead, to debug)
//
// Whatever the bytes, a reader has to give an error or a trace that is sound; from a
// file that was only cut off, a prefix of the original. It must not crash, hang or take
// memory without measure: an alarm goes off when one input takes too long, and a limit
// makes allocation fail. Each input is put into a file before it is read, so it is
// there however the program dies.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/check.h"
#include "fuzz/formats.h"
#include "fuzz/mutate.h"
#include "trace/generate.h"

#if defined(__SANITIZE_ADDRESS__)
// A limit on address space does not go with the address sanitizer; it has its own.
extern "C" const char* __asan_default_options() {
  return "hard_rss_limit_mb=3000:max_allocation_size_mb=1000:quarantine_size_mb=64";
}
constexpr bool kLimitAddressSpace = false;
#else
constexpr bool kLimitAddressSpace = true;
#endif

namespace heddle::fuzz {
namespace {

constexpr std::size_t kQuickInputs = 10'000;
constexpr std::size_t kAllInputs = 100'000;
constexpr std::size_t kSeedTraces = 40;
constexpr std::size_t kMemoryLimit = std::size_t{1} << 31;
constexpr unsigned kSecondsPerInput = 30;

struct Options {
  std::size_t inputs = std::getenv("HEDDLE_TEST_FULL") != nullptr ? kAllInputs : kQuickInputs;
  std::uint64_t seed = 20240229;
  std::vector<std::string> files;
};

// The input that is being read, in a file that outlives the program if it dies.
class CurrentInput {
 public:
  CurrentInput() : path_(fmt::format("/tmp/heddle_fuzz_{}.input", ::getpid())) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    CHECK(descriptor_ >= 0, "cannot write {}", path_);
  }
  ~CurrentInput() {
    ::close(descriptor_);
    ::unlink(path_.c_str());
  }

  const std::string& path() const { return path_; }
  void set(const std::string& bytes) {
    const auto size = static_cast<ssize_t>(bytes.size());
    CHECK(::pwrite(descriptor_, bytes.data(), bytes.size(), 0) == size &&
          ::ftruncate(descriptor_, size) == 0);
  }

 private:
  std::string path_;
  int descriptor_;
};

Trace seed_trace(std::size_t index, Random& random) {
  GenerateOptions options;
  options.events = 20 + random.below(400);
  options.threads = static_cast<std::uint32_t>(2 + random.below(6));
  options.values = index % 2 == 0;
  options.mixed_sizes = index % 3 == 0;
  Trace trace = generate_trace(options, random.below(1u << 30));
  trace.metadata.command_line = {"./program", "argument"};
  trace.metadata.seed = index;
  trace.metadata.clock = "virtual";
  trace.metadata.notes["kind"] = "seed";
  return trace;
}

bool is_prefix(const Trace& part, std::size_t compared, const Trace& whole) {
  if (compared > whole.size()) return false;
  for (EventId e : indices<EventId>(compared)) {
    if (part.record(e) != whole.record(e)) return false;
  }
  return true;
}

enum Outcome { kRefused, kDamaged, kWhole, kOutcomeCount };

class Fuzzer {
 public:
  Fuzzer(const Format& format, Random& random, CurrentInput& current)
      : format_(format), random_(random), current_(current) {
    for (std::size_t i = 0; i < kSeedTraces; ++i) {
      seeds_.push_back(format_.make_seed(seed_trace(i, random_), random_));
      auto original = read(seeds_.back());
      traces_.push_back(std::move(original->trace));
    }
  }

  void run(std::size_t inputs) {
    for (std::size_t i = 0; i < inputs; ++i) {
      const std::size_t seed = random_.below(seeds_.size());
      if (random_.one_in(8)) {
        check_truncated(seed);
      } else {
        ++outcomes_[outcome_of(read(mutated(seed)))];
      }
    }
    fmt::print("{}: {} inputs: {} refused, {} damaged, {} read as whole\n", format_.name, inputs,
               outcomes_[kRefused], outcomes_[kDamaged], outcomes_[kWhole]);
  }

  Result<Recovered> read(const std::string& bytes) {
    current_.set(bytes);
    ::alarm(kSecondsPerInput);
    auto recovered = format_.read(bytes);
    if (recovered.ok()) check_sound(recovered->trace);
    return recovered;
  }

 private:
  std::string mutated(std::size_t seed) {
    const std::string& other = seeds_[random_.below(seeds_.size())];
    const bool inside = !random_.one_in(4);
    return (inside ? format_.mutate_inside : mutate)(seeds_[seed], other, random_);
  }

  void check_truncated(std::size_t seed) {
    const auto recovered = read(truncate(seeds_[seed], random_));
    ++outcomes_[outcome_of(recovered)];
    if (!recovered.ok()) return;
    const Trace& part = recovered->trace;
    const std::size_t compared = part.size() - std::min(part.size(), format_.events_lost_to_a_cut);
    CHECK(is_prefix(part, compared, traces_[seed]), "not a prefix of the original: {}",
          current_.path());
  }

  static Outcome outcome_of(const Result<Recovered>& recovered) {
    if (!recovered.ok()) return kRefused;
    return recovered->damaged ? kDamaged : kWhole;
  }

  const Format& format_;
  Random& random_;
  CurrentInput& current_;
  std::vector<std::string> seeds_;
  std::vector<Trace> traces_;  // what the seeds are read as
  std::array<std::size_t, kOutcomeCount> outcomes_{};
};

void limit_memory() {
  if (!kLimitAddressSpace) return;
  const rlimit limit{kMemoryLimit, kMemoryLimit};
  CHECK(::setrlimit(RLIMIT_AS, &limit) == 0);
}

void read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  for (const Format& format : formats()) {
    const auto recovered = format.read(bytes);
    fmt::print("{} as {}: {}\n", path, format.name,
               recovered.ok() ? fmt::format("{} events", recovered->trace.size())
                              : recovered.error().message);
    if (recovered.ok()) check_sound(recovered->trace);
  }
}

void fuzz_all(const Options& options) {
  CurrentInput current;
  fmt::print("seed {}; should it die, the input is in {}\n", options.seed, current.path());
  std::fflush(stdout);
  const std::size_t inputs_each = (options.inputs + formats().size() - 1) / formats().size();
  for (const Format& format : formats()) {
    Random random(options.seed);
    Fuzzer(format, random, current).run(inputs_each);
  }
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--inputs" && i + 1 < argc) {
      options.inputs = std::strtoull(argv[++i], nullptr, 10);
    } else if (argument == "--seed" && i + 1 < argc) {
      options.seed = std::strtoull(argv[++i], nullptr, 10);
    } else {
      options.files.emplace_back(argument);
    }
  }
  return options;
}

}  // namespace
}  // namespace heddle::fuzz

// Nothing is caught: unwinding would remove the file with the input that threw.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int argc, char** argv) {
  using namespace heddle::fuzz;
  const Options options = parse(argc, argv);
  limit_memory();
  for (const std::string& path : options.files) read_file(path);
  if (options.files.empty()) fuzz_all(options);
  return 0;
}
