#include "tests/hybrid/handoff_model.h"

#include <fmt/format.h>

#include "base/random.h"

namespace heddle::hybrid {
namespace {

class Writer {
 public:
  Writer(std::uint32_t threads, std::uint64_t seed) : threads_(threads), random_(seed) {}

  std::string run() {
    text_ =
        "int x; int y; int z; int a[2]; atomic int f; atomic int g;\n"
        "lock m; lock n; rwlock w; semaphore s = 0; condition q;\n";
    forks_ = random_.chance(30);
    for (std::uint32_t i = 0; i < threads_; ++i) thread(i);
    return std::move(text_);
  }

 private:
  void thread(std::uint32_t index) {
    text_ += fmt::format("thread t{}{} {{\n  int u; bool b;\n", index,
                         index == 1 && forks_ ? " forked" : "");
    if (index == 0 && forks_) {
      statement();
      line("fork t1;");
    }
    const std::uint32_t count = 2 + random_.below(3);
    for (std::uint32_t i = 0; i < count; ++i) statement();
    if (index == 0 && forks_ && random_.chance(50)) {
      line("join t1;");
      access();
    }
    text_ += "}\n";
  }

  void line(const std::string& statement) {
    text_ += std::string(2 * depth_ + 2, ' ') + statement + "\n";
  }
  std::string pick(std::initializer_list<const char*> choices) {
    return choices.begin()[random_.below(static_cast<std::uint32_t>(choices.size()))];
  }

  void access() {
    line(pick({"x = 1;", "u = x;", "x += 1;", "y = x;", "y = 2;", "u = y;", "z = u;", "u = z;",
               "a[0] = 1;", "u = a[1];", "a[x % 2] = u;", "z = y + 1;"}));
  }

  void statement() {
    const std::uint32_t kind = random_.below(100);
    if (depth_ > 2 || kind < 30) return access();
    if (kind < 45) return block("lock(m);", "unlock(m);");
    if (kind < 52) return block("lock(n);", "unlock(n);");
    if (kind < 57) return block("lock(w);", "unlock(w);");
    if (kind < 62) return block("read_lock(w);", "read_unlock(w);");
    if (kind < 70) return line(pick({"f = 1;", "g = 1;", "f = 2;"}));
    if (kind < 80) return block(guard(), "}");
    if (kind < 83) return line(pick({"while (f == 0) skip;", "while (g == 0) { u = f; }"}));
    if (kind < 88) return line(pick({"post(s);", "wait(s);", "b = trywait(s);"}));
    if (kind < 92) return line(pick({"notify(q);", "notify_all(q);"}));
    if (kind < 95) return line("lock(m); if (f == 0) wait(q, m); u = x; unlock(m);");
    if (kind < 98) return line("b = trylock(n); if (b) { y = 1; unlock(n); }");
    line("b = cas(g, 0, 1); if (b) z = 3;");
  }

  std::string guard() {
    return pick({"if (f == 1) {", "if (g == 1) {", "if (x == 1) {", "if (u == 0) {",
                 "if (f == 2) {", "if (y == 2) {"});
  }

  // Locks that are held inside are not taken again.
  void block(const std::string& first, const std::string& last) {
    const bool lock = last != "}";
    if (lock && in_lock_) return access();
    in_lock_ = in_lock_ || lock;
    line(first);
    ++depth_;
    access();
    if (random_.chance(60)) lock ? access() : statement();
    --depth_;
    line(last);
    if (lock) in_lock_ = false;
  }

  std::uint32_t threads_;
  Random random_;
  std::string text_;
  std::uint32_t depth_ = 0;
  bool in_lock_ = false;
  bool forks_ = false;
};

}  // namespace

std::string handoff_model(std::uint32_t threads, std::uint64_t seed) {
  return Writer(threads, seed).run();
}

}  // namespace heddle::hybrid
