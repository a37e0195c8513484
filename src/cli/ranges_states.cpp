#include "cli/ranges_states.h"

#include <algorithm>
#include <string>
#include <vector>

#include "cli/output.h"
#include "ranges/names.h"

namespace heddle {
namespace {

using model::Interval;
using model::Model;
using model::StateId;
using model::Variable;

constexpr std::size_t kStatementWidth = 32;
constexpr std::size_t kIndent = kStatementWidth + 10;

class StatePrinter {
 public:
  StatePrinter(const Model& model, const ranges::StateRanges& states)
      : model_(model), states_(states) {}

  void print_all() {
    for (const StateId state : indices(model_.states)) {
      if (!model_.states[state].inner && states_[state].reachable) print_one(state);
    }
  }

 private:
  void print_one(StateId state) {
    const model::ControlState& control = model_.states[state];
    if (control.thread != thread_) {
      print("{}thread {}\n", thread_.valid() ? "\n" : "", model_.threads[control.thread].name);
      above_.clear();
    }
    thread_ = control.thread;
    const std::uint32_t line = ranges::line_of(model_, state);
    std::string text = fmt::format("{:>6}  {:<{}}", line == 0 ? "" : std::to_string(line),
                                   ranges::statement_at(model_, state), kStatementWidth);
    append(text, intervals_at(state));
    print("{}\n", text);
    above_ = states_[state].words;
  }

  // Behind the statement, on as many lines as the terminal's width asks for.
  static void append(std::string& text, const std::vector<std::string>& intervals) {
    std::size_t used = text.size();
    for (const std::string& interval : intervals) {
      const bool fits = used + 2 + interval.size() <= std::max(terminal_width(), 2 * kIndent);
      if (!fits) text += "\n" + std::string(kIndent - 2, ' ');
      used = (fits ? used : kIndent - 2) + 2 + interval.size();
      text += "  " + interval;
    }
    text.erase(text.find_last_not_of(' ') + 1);
  }

  bool is_new(StateId state, std::size_t place) const {
    return above_.empty() || above_[place] != states_[state].words[place];
  }

  std::vector<std::string> intervals_at(StateId state) const {
    const std::vector<Interval>& words = states_[state].words;
    std::vector<std::string> made;
    for (std::size_t first = 0, next = 0; first < words.size(); first = next) {
      next = first + 1;
      const std::uint32_t word = ranges::word_at(model_, state, first);
      const Variable* const variable = ranges::shown_variable(model_, word);
      if (variable == nullptr || !is_new(state, first)) continue;
      const std::size_t end = first + variable->length - (word - variable->first_word);
      while (next < end && words[next] == words[first] && is_new(state, next)) ++next;
      made.push_back(text_of(*variable, word, next - first, words[first]));
    }
    return made;
  }

  std::string text_of(const Variable& variable, std::uint32_t word, std::size_t count,
                      Interval interval) const {
    const std::string name = ranges::name_of(model_, variable);
    const std::string value = ranges::text_of(interval);
    const std::size_t first = word - variable.first_word;
    if (!variable.is_array) return fmt::format("{} {}", name, value);
    if (count == 1) return fmt::format("{}[{}] {}", name, first, value);
    return fmt::format("{}[{}..{}] {}", name, first, first + count - 1, value);
  }

  const Model& model_;
  const ranges::StateRanges& states_;
  ThreadId thread_{};
  std::vector<Interval> above_;  // of the thread's line before; empty: there is none
};

}  // namespace

void print_states(const Model& model, const ranges::StateRanges& states) {
  StatePrinter(model, states).print_all();
}

}  // namespace heddle
