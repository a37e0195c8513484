#include "tests/ranges/reachable.h"

#include <set>

#include <fmt/format.h>

namespace heddle {
namespace {

class Search {
 public:
  Search(model::Interpreter& interpreter, std::size_t limit, const std::function<void()>& visit)
      : interpreter_(interpreter), limit_(limit), visit_(visit) {}

  bool run() {
    explore();
    return seen_.size() <= limit_;
  }

 private:
  void explore() {
    if (seen_.size() > limit_ || !seen_.insert(interpreter_.state_hash()).second) return;
    visit_();
    const std::size_t depth = interpreter_.depth();
    for (const ThreadId thread : indices<ThreadId>(interpreter_.thread_count())) {
      if (interpreter_.readiness(thread) != Readiness::ready) continue;
      Operation operation;
      interpreter_.next_operation(thread, operation);
      for (std::uint32_t choice = 0; choice < operation.choices; ++choice) {
        if (interpreter_.step(thread, choice) == Failure::none) explore();
        interpreter_.rewind(depth);
      }
    }
  }

  model::Interpreter& interpreter_;
  std::size_t limit_;
  const std::function<void()>& visit_;
  std::set<std::uint64_t> seen_;
};

}  // namespace

bool for_each_state(model::Interpreter& interpreter, std::size_t limit,
                    const std::function<void()>& visit) {
  return Search(interpreter, limit, visit).run();
}

std::optional<std::string> wrong_here(const model::Interpreter& interpreter,
                                      const ranges::Analysis& analysis) {
  const model::Model& model = interpreter.model();
  for (const ThreadId thread : indices(model.threads)) {
    const model::StateId state = interpreter.control(thread);
    const ranges::StateRange& range = analysis.states[state];
    const std::string where = fmt::format("{} at s{}", model.threads[thread].name, state.value());
    if (!range.reachable) return fmt::format("{} is called unreachable", where);
    const std::uint32_t shared = model.layout.shared_words;
    for (std::uint32_t i = 0; i < range.words.size(); ++i) {
      const std::uint32_t word = i < shared ? i : i - shared + model.threads[thread].first_word;
      const std::int64_t value = interpreter.word(word);
      if (range.words[i].contains(value)) continue;
      return fmt::format("{}: {} = {} is not in {}..{}", where, model.word_name(word), value,
                         range.words[i].low, range.words[i].high);
    }
  }
  return std::nullopt;
}

}  // namespace heddle
