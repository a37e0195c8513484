#include "tests/ranges/random_program.h"

#include <fmt/format.h>

#include "base/random.h"

namespace heddle {
namespace {

class Writer {
 public:
  Writer(const RandomProgramOptions& options, std::uint64_t seed)
      : options_(options), random_(seed) {}

  std::string run() {
    text_ = "int x = 1; int y = 2; int[-8..8] z = 0; int a[2] = {3, 4}; lock l; lock m; lock n;\n";
    forked_ = options_.forks && options_.threads > 1 && random_.chance(25);
    for (std::uint32_t i = 0; i < options_.threads; ++i) thread(i);
    return std::move(text_);
  }

 private:
  void thread(std::uint32_t index) {
    const bool last = index + 1 == options_.threads;
    text_ += fmt::format("thread t{}{} {{\n  int u = {}; int v = 0;\n", index,
                         last && forked_ ? " forked" : "", index);
    left_ = options_.statements / 2 + random_.below(options_.statements);
    const std::uint32_t fork_at = index == 0 && forked_ ? 1 + random_.below(left_ + 1) : 0;
    bool forked = fork_at == 0;
    while (left_ > 0) {
      if (!forked && left_ < fork_at) forked = fork();
      statement();
    }
    if (!forked) fork();
    if (index == 0 && forked_ && random_.chance(50))
      line(fmt::format("join t{};", options_.threads - 1));
    if (index == 0 && forked_ && random_.chance(50)) line("v = x + y;");
    text_ += "}\n";
  }

  bool fork() {
    line(fmt::format("fork t{};", options_.threads - 1));
    return true;
  }

  void line(const std::string& statement) {
    text_ += std::string(2 * depth_ + 2, ' ') + statement + "\n";
  }
  std::string pick(std::initializer_list<const char*> choices) {
    return choices.begin()[random_.below(static_cast<std::uint32_t>(choices.size()))];
  }
  std::string shared() {
    return pick({"x", "y", "x", "y", "a[0]", "a[1]", "a[u % 2 == 0 ? 0 : 1]"});
  }
  std::string value() {
    switch (random_.below(8)) {
      case 0: return fmt::format("{} + {}", own(), shared());
      case 1: return fmt::format("{} - {}", shared(), pick({"1", "2", "u"}));
      case 2: return fmt::format("{} * {}", own(), pick({"2", "-1", "v"}));
      case 3: return fmt::format("{} / {}", own(), pick({"2", "3", "-2"}));
      case 4: return fmt::format("{} % {}", own(), pick({"2", "3", "-3"}));
      case 5: return fmt::format("{} < {} ? {} : {}", own(), shared(), own(), pick({"0", "7"}));
      case 6: return shared();
      default: return pick({"0", "1", "5", "u", "v"});
    }
  }
  std::string own() { return pick({"u", "v"}); }
  std::string condition() {
    const std::string simple =
        fmt::format("{} {} {}", pick({"x", "y", "u", "v", "u + 1", "x - v", "a[0]"}),
                    pick({"==", "!=", "<", "<=", ">", ">="}), pick({"0", "1", "2", "u", "y", "v"}));
    if (random_.chance(20)) return fmt::format("{} && {} > 0", simple, own());
    if (random_.chance(20)) return fmt::format("{} || !({} == 1)", simple, shared());
    return simple;
  }

  void statement() {
    if (left_ > 0) --left_;
    const std::uint32_t kind = random_.below(100);
    if (kind < 30) return line(fmt::format("{} = {};", own(), value()));
    if (kind < 62) return line(fmt::format("{} = {};", shared(), value()));
    if (kind < 84 && held_ < 3) return locked();
    if (kind < 88) return line(fmt::format("assert({});", condition()));
    if (kind < 90) return line(fmt::format("z = {};", value()));
    if (kind < 92) return line(fmt::format("assume({});", condition()));
    if (kind < 94) return line(fmt::format("atomic {{ x = {}; y = {}; }}", own(), value()));
    if (options_.branches && depth_ < 2) return kind < 98 || !options_.loops ? branch() : loop();
    line(fmt::format("{} = {};", shared(), own()));
  }

  void block() {
    ++depth_;
    const std::uint32_t count = 1 + random_.below(2);
    for (std::uint32_t i = 0; i < count; ++i) statement();
    --depth_;
  }

  void branch() {
    line(fmt::format("if ({}) {{", condition()));
    block();
    if (random_.chance(50)) {
      line("} else {");
      block();
    }
    line("}");
  }

  void loop() {
    const std::string name = fmt::format("i{}", loops_++);
    if (random_.chance(60)) {
      line(fmt::format("for ({} : 0..{}) {{", name, 1 + random_.below(2)));
    } else {
      line(fmt::format("int {} = 0;", name));
      line(fmt::format("while ({} < 2 && x > 0) {{", name));
      line(fmt::format("  {} += 1;", name));
    }
    block();
    line("}");
  }

  // Nested in any order, so that some models deadlock.
  void locked() {
    static constexpr const char* kLocks[] = {"l", "m", "n"};
    const std::uint32_t lock = random_.below(3);
    if ((holds_ >> lock & 1) != 0) return line(fmt::format("{} = {};", shared(), value()));
    line(fmt::format("lock({});", kLocks[lock]));
    holds_ |= 1U << lock;
    ++held_;
    block();
    if (random_.chance(50)) statement();
    --held_;
    holds_ &= ~(1U << lock);
    line(fmt::format("unlock({});", kLocks[lock]));
  }

  const RandomProgramOptions& options_;
  Random random_;
  std::string text_;
  std::uint32_t left_ = 0;
  std::uint32_t depth_ = 0;
  std::uint32_t held_ = 0;
  std::uint32_t holds_ = 0;
  std::uint32_t loops_ = 0;
  bool forked_ = false;
};

}  // namespace

std::string random_program(const RandomProgramOptions& options, std::uint64_t seed) {
  return Writer(options, seed).run();
}

}  // namespace heddle
