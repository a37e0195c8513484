#include "tests/model/random_model.h"

#include <vector>

#include <fmt/format.h>

#include "base/random.h"

namespace heddle {
namespace {

class Writer {
 public:
  Writer(const RandomModelOptions& options, std::uint64_t seed)
      : options_(options), random_(seed) {}

  std::string run() {
    text_ =
        "int x = 0; int y = 1; atomic int c = 0; int[0..3] small = 1; bool flag; int a[3];\n"
        "lock m; recursive lock r; rwlock w; condition q; semaphore s = 1;\n";
    forks_ = options_.synchronisation && options_.threads > 1 && random_.chance(30);
    for (std::uint32_t i = 0; i < options_.threads; ++i) thread(i);
    return std::move(text_);
  }

 private:
  // The first thread forks the second, and perhaps joins it.
  void thread(std::uint32_t index) {
    text_ += fmt::format("thread t{}{} {{\n  int u = 0; int[0..2] k = 0; bool g; int z[2];\n",
                         index, index == 1 && forks_ ? " forked" : "");
    if (index == 0 && forks_) {
      block();
      line("fork t1;");
    }
    block();
    if (index == 0 && options_.synchronisation && options_.threads > 1 && random_.chance(30)) {
      line("join t1;");
    }
    text_ += "}\n";
  }

  void line(const std::string& statement) {
    text_ += std::string(2 * depth_ + 2, ' ') + statement + "\n";
  }

  std::string pick(std::initializer_list<const char*> choices) {
    return choices.begin()[random_.below(static_cast<std::uint32_t>(choices.size()))];
  }

  std::string shared() { return pick({"x", "y", "c", "a[0]", "a[1]", "a[k]"}); }
  std::string number() {
    return pick({"0", "1", "2", "u", "k", "x", "y", "c", "a[0]", "a[k]", "a[2]", "z[1]", "u + 1",
                 "x + y", "x % 2", "small"});
  }
  std::string condition() {
    const std::string simple = fmt::format("{} {} {}", number(), pick({"==", "!=", "<", ">="}),
                                           pick({"0", "1", "u", "y"}));
    if (random_.chance(15)) return simple + " && flag";
    return random_.chance(10) ? "flag || " + simple : simple;
  }

  void block() {
    ++depth_;
    const std::uint32_t count = 1 + random_.below(options_.statements);
    for (std::uint32_t i = 0; i < count; ++i) statement();
    --depth_;
  }

  void statement() {
    const std::uint32_t kind = random_.below(100);
    if (kind < 42) return assignment();
    if (kind < 55 && depth_ < 3) return branch();
    if (kind < 60 && depth_ < 2) return loop();
    if (kind < 66) return atomic();
    if (kind < 70) return choose();
    if (kind < 75) return line(fmt::format("g = cas(c, {}, {});", number(), number()));
    if (options_.failures && kind < 82) return risky();
    if (options_.synchronisation) return synchronise();
    assignment();
  }

  void assignment() {
    switch (random_.below(8)) {
      case 0: return line(fmt::format("u = {};", number()));
      case 1: return line(fmt::format("k = {};", pick({"0", "1", "2", "small % 3", "k"})));
      case 2: return line(fmt::format("{} += 1;", shared()));
      case 3: return line(fmt::format("x, u = {}, {};", number(), number()));
      case 4: return line(fmt::format("flag = {};", condition()));
      case 5: return line(fmt::format("z[k % 2] = {};", number()));
      default: return line(fmt::format("{} = {};", shared(), number()));
    }
  }

  void branch() {
    line(fmt::format("if ({}) {{", condition()));
    block();
    if (random_.chance(40)) {
      line("} else {");
      block();
    }
    line("}");
  }

  void loop() {
    const std::string name = fmt::format("j{}", depth_);
    line(fmt::format("for ({} : 0..1) {{", name));
    block();
    if (random_.chance(30))
      line(fmt::format("  if ({}) {};", condition(), pick({"break", "continue"})));
    line("}");
  }

  void atomic() {
    line("atomic {");
    ++depth_;
    assignment();
    if (random_.chance(50)) line(fmt::format("if ({}) {} = {};", condition(), shared(), number()));
    if (random_.chance(50)) assignment();
    --depth_;
    line("}");
  }

  void choose() {
    if (random_.chance(50)) return line(fmt::format("{} = choose(0..1);", pick({"k", "u", "x"})));
    line("choose {");
    block();
    line("} or {");
    block();
    line("}");
  }

  void risky() {
    switch (random_.below(6)) {
      case 0: return line(fmt::format("assert({});", condition()));
      case 1: return line(fmt::format("small = {};", number()));
      case 2: return line("small += 1;");
      case 3: return line(fmt::format("a[{}] = 1;", pick({"u", "x", "small"})));
      case 4: return line(fmt::format("assume({});", condition()));
      default: return line(fmt::format("u = 4 / {};", number()));
    }
  }

  void synchronise() {
    switch (random_.below(9)) {
      case 0: return line(pick({"notify(q);", "notify_all(q);"}));
      case 1: return line("post(s);");
      case 2: return line("wait(s);");
      case 3: return line("g = trywait(s);");
      case 4: return tried();
      case 5: return pair("lock(r);", "unlock(r);");
      case 6:
        return random_.chance(50) ? pair("lock(w);", "unlock(w);")
                                  : pair("read_lock(w);", "read_unlock(w);");
      default: return locked();
    }
  }

  void tried() {
    if (in_lock_) return assignment();
    line("g = trylock(m);");
    line("if (g) {");
    in_lock_ = true;
    block();
    in_lock_ = false;
    line("  unlock(m);");
    line("}");
  }

  void pair(const std::string& first, const std::string& last) {
    if (in_lock_ || depth_ > 2) return assignment();
    in_lock_ = true;
    line(first);
    block();
    line(last);
    in_lock_ = false;
  }

  void locked() {
    if (in_lock_ || depth_ > 2) return assignment();
    line("lock(m);");
    in_lock_ = true;
    if (random_.chance(40)) line(fmt::format("if ({}) wait(q, m);", condition()));
    block();
    in_lock_ = false;
    line("unlock(m);");
  }

  const RandomModelOptions& options_;
  Random random_;
  std::string text_;
  std::uint32_t depth_ = 0;
  bool in_lock_ = false;
  bool forks_ = false;
};

}  // namespace

std::string random_model(const RandomModelOptions& options, std::uint64_t seed) {
  return Writer(options, seed).run();
}

}  // namespace heddle
