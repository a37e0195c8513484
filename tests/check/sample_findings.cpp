#include "tests/check/sample_findings.h"

#include <algorithm>

#include <fmt/format.h>

namespace heddle {
namespace {

// A finding that grows by one event or step at a time.
class Sample {
 public:
  Sample(FindingKind kind, std::string message) {
    made_.finding.kind = kind;
    made_.finding.message = std::move(message);
    made_.finding.found_by = "check";
    made_.id = fmt::format("{:012x}", 0x5a1d00000000U + static_cast<unsigned>(kind));
    made_.standing = Standing::confirmed;
    made_.file = fmt::format("heddle-out/finding-{}.json", static_cast<unsigned>(kind) + 1);
  }

  Sample& event(std::string thread, int line, std::string operation, std::string values = {}) {
    made_.finding.events.push_back(
        {std::move(thread), place(line), std::move(operation), std::move(values)});
    return *this;
  }
  Sample& step(std::uint32_t thread, int line, std::string operation, std::string values = {},
               std::string reason = {}) {
    made_.run.steps.push_back({column_of(thread), place(line), std::move(operation),
                               std::move(values), std::move(reason)});
    return *this;
  }
  // What comes next, behind the last step.
  Sample& ends() {
    made_.run.end = RunEnd{made_.finding.kind, made_.finding.message, made_.finding.events};
    return *this;
  }
  Sample& stands(Standing standing, std::string why) {
    made_.standing = standing;
    made_.why = std::move(why);
    return *this;
  }
  Reported take() { return std::move(made_); }

 private:
  static std::string place(int line) { return fmt::format("bank.cpp:{}", line); }

  std::uint32_t column_of(std::uint32_t thread) {
    const std::string name = thread == 0 ? "main" : fmt::format("main.{}", thread);
    auto& threads = made_.run.threads;
    const auto known = std::find(threads.begin(), threads.end(), name);
    const auto column = static_cast<std::uint32_t>(known - threads.begin());
    if (known == threads.end()) threads.push_back(name);
    return column;
  }

  Reported made_;
};

Reported assertion() {
  return Sample(FindingKind::assertion, "balance >= 0 && \"nobody withdraws more than there is\"")
      .event("main", 29, "read balance", "balance = -60")
      .step(1, 12, "read balance", "read balance = 100")
      .step(2, 12, "read balance", "read balance = 100", "main.1 is held before `write balance`")
      .step(2, 12, "write balance", "write balance = 20")
      .step(1, 12, "write balance", "write balance = -60", "main.2 is about to end")
      .step(0, 29, "read balance", "read balance = -60")
      .take();
}

Reported out_of_range() {
  return Sample(FindingKind::out_of_range, "entries[4]: the index is out of 0..3")
      .event("main.1", 7, "write entries[4]", "4 is not in 0..3")
      .step(1, 7, "read count", "read count = 4")
      .take();
}

Reported misuse() {
  return Sample(FindingKind::misuse, "main.2 unlocks journal, which main.1 holds")
      .event("main.2", 20, "release journal", "main.1 holds it")
      .step(1, 19, "acquire journal")
      .step(2, 20, "release journal", "", "main.1 is held before `acquire accounts`")
      .stands(Standing::predicted, "the program is not there any more")
      .take();
}

Reported deadlock() {
  return Sample(FindingKind::deadlock,
                "main.1 holds accounts and waits for journal, main.2 holds journal and waits for "
                "accounts")
      .event("main.1", 16, "acquire journal")
      .event("main.2", 20, "acquire accounts")
      .step(0, 1, "fork main.1")
      .step(0, 1, "fork main.2")
      .step(1, 15, "acquire accounts", "", "main waits for main.1")
      .step(2, 19, "acquire journal", "", "main.1 is held before `acquire journal`")
      .ends()
      .take();
}

Reported livelock() {
  return Sample(FindingKind::livelock,
                "a thread goes round in a loop for ever, and nobody can end it")
      .event("main.1", 23, "read open")
      .step(1, 23, "read open", "read open = 1")
      .step(1, 23, "read open", "read open = 1")
      .take();
}

Reported race() {
  return Sample(FindingKind::race, "write of balance at bank.cpp:12 and read at bank.cpp:12")
      .event("main.1", 12, "write balance")
      .event("main.2", 12, "read balance")
      .step(1, 12, "read balance", "read balance = 100")
      .step(1, 12, "write balance", "write balance = 20")
      .step(2, 12, "read balance", "read balance = 20", "main.1 is about to end")
      .take();
}

Reported atomicity() {
  return Sample(FindingKind::atomicity,
                "withdraw(long) is not atomic: write of balance by main.2 between two accesses")
      .event("main.1", 12, "read balance")
      .event("main.2", 12, "write balance")
      .event("main.1", 12, "write balance")
      .step(1, 12, "read balance", "read balance = 100")
      .step(2, 12, "write balance", "write balance = 20", "main.1 is held before `write balance`")
      .step(1, 12, "write balance", "write balance = 40", "main.2 is about to end")
      .take();
}

Reported nondeterminism() {
  return Sample(FindingKind::nondeterminism,
                "read of balance at bank.cpp:28 saw the write at bank.cpp:6 and can see the one at "
                "bank.cpp:12")
      .event("main", 28, "read balance", "balance = 40")
      .event("main.1", 12, "write balance", "balance := 40")
      .step(1, 12, "write balance", "write balance = 40")
      .step(0, 28, "read balance", "read balance = 40", "main.1 is about to end")
      .take();
}

Reported crash() {
  return Sample(FindingKind::crash, "killed by SIGSEGV")
      .event("main.2", 27, "read last")
      .step(2, 27, "read last", "read last = 0")
      .take();
}

Reported exit_status() {
  return Sample(FindingKind::exit_status, "exit status 1")
      .event("main", 28, "read balance")
      .step(0, 28, "read balance", "read balance = -60")
      .stands(Standing::refuted, "the replay ended with exit status 0")
      .take();
}

Reported memory() {
  return Sample(FindingKind::memory, "main.2 reads a block that main.1 has freed")
      .event("main.1", 26, "free heap block #1 of main")
      .event("main.2", 27, "read heap block #1 of main, allocated at bank.cpp:8")
      .step(1, 26, "free heap block #1 of main")
      .step(2, 27, "read heap block #1 of main, allocated at bank.cpp:8", "",
            "main.1 is about to end")
      .take();
}

}  // namespace

std::vector<Reported> sample_findings() {
  return {assertion(), out_of_range(), misuse(),         deadlock(), livelock(),   race(),
          atomicity(), crash(),        nondeterminism(), memory(),   exit_status()};
}

}  // namespace heddle
