#include "model/merge.h"

#include <algorithm>
#include <vector>

#include "model/builder.h"
#include "model/finish.h"

namespace heddle::model {
namespace {

bool same_declarations(const Model& a, const Model& b) {
  const auto same_variable = [](const Variable& x, const Variable& y) {
    return x.name == y.name && x.thread == y.thread && x.is_bool == y.is_bool &&
           x.bounds == y.bounds && x.first_word == y.first_word && x.length == y.length;
  };
  const auto same_object = [](const SyncObject& x, const SyncObject& y) {
    return x.kind == y.kind && x.word == y.word && x.initial == y.initial;
  };
  const auto same_thread = [](const ModelThread& x, const ModelThread& y) {
    return x.name == y.name && x.forked == y.forked;
  };
  return std::ranges::equal(a.variables, b.variables, same_variable) &&
         std::ranges::equal(a.sync_objects, b.sync_objects, same_object) &&
         std::ranges::equal(a.threads, b.threads, same_thread) &&
         a.initial_words == b.initial_words;
}

class Merger {
 public:
  Merger(Model& made, Diagnostics& diagnostics, std::span<const Model* const> traces)
      : builder_(made, diagnostics), traces_(traces) {}

  Result<void> run() {
    Model& model = builder_.model;
    for (const Model* trace : traces_) import(*trace);
    for (const ThreadId thread : indices(model.threads)) {
      std::vector<Sequence> sequences;
      for (std::size_t i = 0; i < traces_.size(); ++i) {
        TRY(Sequence sequence, sequence_of(i, thread));
        sequences.push_back(std::move(sequence));
      }
      const StateId first = builder_.add_state(thread, false);
      model.threads[thread].first = first;
      const StateId last = builder_.add_state(thread, false);
      join(thread, sequences, first, last);
      builder_.exits.push_back(last);
    }
    finish(builder_);
    return {};
  }

 private:
  using Sequence = std::vector<Transition>;

  // A trace's expressions and updates behind those that are there already.
  void import(const Model& trace) {
    Model& model = builder_.model;
    expression_offset_.push_back(static_cast<std::uint32_t>(model.expressions.size()));
    update_offset_.push_back(static_cast<std::uint32_t>(model.updates.size()));
    text_offset_.push_back(text_length_);
    text_length_ += static_cast<std::uint32_t>(trace.source.text().size());
    const std::uint32_t offset = expression_offset_.back();
    model.expressions.append(trace.expressions);
    for (Update update : trace.updates) {
      update.value = moved(update.value, offset);
      update.target.index = moved(update.target.index, offset);
      model.updates.push_back(update);
    }
  }

  static ExpressionId moved(ExpressionId id, std::uint32_t offset) {
    return id.valid() ? ExpressionId(id.value() + offset) : id;
  }

  Transition moved(Transition transition, std::size_t trace) const {
    const std::uint32_t offset = expression_offset_[trace];
    for (ExpressionId* id : {&transition.guard, &transition.condition, &transition.low,
                             &transition.high, &transition.object.index, &transition.lock.index}) {
      *id = moved(*id, offset);
    }
    transition.first_update += update_offset_[trace];
    transition.range.begin += text_offset_[trace];
    transition.range.end += text_offset_[trace];
    return transition;
  }

  // The end of a thread that is joined is added again by finish().
  Result<Sequence> sequence_of(std::size_t trace, ThreadId thread) const {
    const Model& model = *traces_[trace];
    Sequence made;
    StateId at = model.threads[thread].first;
    while (model.states[at].count > 0 && made.size() <= model.states.size()) {
      const auto transitions = model.transitions_of(at);
      if (transitions.size() > 1 || transitions.front().in_atomic_block) {
        return make_error("{}: thread {} is no straight line; only traces can be merged",
                          model.source.name(), model.threads[thread].name);
      }
      if (transitions.front().kind == TransitionKind::end) break;
      made.push_back(moved(transitions.front(), trace));
      at = transitions.front().target;
    }
    if (made.size() <= model.states.size()) return made;
    return make_error("{}: thread {} has a loop; only traces can be merged", model.source.name(),
                      model.threads[thread].name);
  }

  // Ways from one state to the other, one for each of the sequences.
  void join(ThreadId thread, std::vector<Sequence> sequences, StateId from, StateId to) {
    drop_doubles(sequences);
    while (all_have_common(sequences, true)) {
      if (sequences.size() == 1 && sequences.front().size() == 1) {
        return add(sequences.front().front(), from, to);
      }
      const StateId next = builder_.add_state(thread, false);
      add(sequences.front().front(), from, next);
      for (Sequence& sequence : sequences) sequence.erase(sequence.begin());
      from = next;
    }
    while (all_have_common(sequences, false)) {
      const StateId before = builder_.add_state(thread, false);
      add(sequences.front().back(), before, to);
      for (Sequence& sequence : sequences) sequence.pop_back();
      to = before;
    }
    branch(thread, std::move(sequences), from, to);
  }

  // One way for each beginning that there is.
  void branch(ThreadId thread, std::vector<Sequence> sequences, StateId from, StateId to) {
    while (!sequences.empty()) {
      std::vector<Sequence> alike, others;
      for (Sequence& sequence : sequences) {
        const Sequence& leader = alike.empty() ? sequence : alike.front();
        const bool both_end = leader.empty() && sequence.empty();
        const bool together = both_end || (!leader.empty() && !sequence.empty() &&
                                           same(leader.front(), sequence.front()));
        (together ? alike : others).push_back(std::move(sequence));
      }
      if (alike.front().empty()) {
        add({}, from, to);
      } else {
        const StateId head = builder_.add_state(thread, false);
        add({}, from, head);
        join(thread, std::move(alike), head, to);
      }
      sequences = std::move(others);
    }
  }

  void drop_doubles(std::vector<Sequence>& sequences) const {
    for (std::size_t i = 0; i < sequences.size(); ++i) {
      const auto behind = sequences.begin() + static_cast<std::ptrdiff_t>(i) + 1;
      sequences.erase(
          std::remove_if(behind, sequences.end(),
                         [&](const Sequence& other) { return same_sequence(sequences[i], other); }),
          sequences.end());
    }
  }

  bool same_sequence(const Sequence& a, const Sequence& b) const {
    return std::ranges::equal(a, b,
                              [&](const Transition& x, const Transition& y) { return same(x, y); });
  }

  bool all_have_common(const std::vector<Sequence>& sequences, bool at_front) const {
    if (sequences.front().empty()) return false;
    const auto end_of = [&](const Sequence& s) { return at_front ? s.front() : s.back(); };
    return std::ranges::all_of(sequences, [&](const Sequence& sequence) {
      return !sequence.empty() && same(end_of(sequences.front()), end_of(sequence));
    });
  }

  void add(Transition transition, StateId from, StateId to) {
    transition.source = from;
    transition.target = to;
    builder_.transitions.push_back(transition);
  }

  bool same(const Transition& a, const Transition& b) const {
    const auto of_a = builder_.model.updates_of(a), of_b = builder_.model.updates_of(b);
    return a.kind == b.kind && a.negated == b.negated && same(a.guard, b.guard) &&
           same(a.condition, b.condition) && same(a.low, b.low) && same(a.high, b.high) &&
           same(a.object, b.object) && same(a.lock, b.lock) &&
           std::ranges::equal(of_a, of_b, [&](const Update& x, const Update& y) {
             return same(x.target, y.target) && same(x.value, y.value) && x.bounds == y.bounds;
           });
  }

  bool same(const Reference& a, const Reference& b) const {
    return a.base == b.base && a.length == b.length && a.offset == b.offset &&
           same(a.index, b.index);
  }

  bool same(ExpressionId a, ExpressionId b) const {
    if (!a.valid() || !b.valid()) return a.valid() == b.valid();
    const ExpressionNode& x = builder_.model.expressions[a];
    const ExpressionNode& y = builder_.model.expressions[b];
    if (x.op != y.op || x.value != y.value) return false;
    if (x.op == Operator::constant) return true;
    if (x.op == Operator::load) return x.left == y.left;
    if (x.op == Operator::element) {
      return x.left == y.left && x.extra == y.extra && same(x.right_operand(), y.right_operand());
    }
    const bool unary = x.op == Operator::negate || x.op == Operator::logical_not;
    return same(x.left_operand(), y.left_operand()) &&
           (unary || same(x.right_operand(), y.right_operand())) &&
           (x.op != Operator::conditional || same(x.third_operand(), y.third_operand()));
  }

  Builder builder_;
  std::span<const Model* const> traces_;
  std::vector<std::uint32_t> expression_offset_, update_offset_, text_offset_;
  std::uint32_t text_length_ = 0;
};

}  // namespace

Result<Model> merge(std::span<const Model* const> traces) {
  if (traces.empty()) return make_error("there is no trace to merge");
  std::string text;
  for (const Model* trace : traces) {
    text += trace->source.text();
    if (same_declarations(*traces.front(), *trace)) continue;
    return make_error(
        "{} and {} declare different variables, locks or threads; only traces of one "
        "program can be merged",
        traces.front()->source.name(), trace->source.name());
  }
  if (text.size() > SourceText::kMaxLength) return make_error("the traces are too long to merge");
  Model made = *traces.front();
  made.source = SourceText(traces.front()->source.name(), std::move(text));
  made.states.clear(), made.transitions.clear(), made.tables.clear(), made.updates.clear();
  made.expressions = Expressions();
  Diagnostics diagnostics(made.source);
  TRY_VOID(Merger(made, diagnostics, traces).run());
  return made;
}

}  // namespace heddle::model
