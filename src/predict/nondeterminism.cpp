#include "predict/nondeterminism.h"

#include <algorithm>

#include "predict/challengers.h"
#include "predict/read_question.h"
#include "predict/tasks.h"

namespace heddle::predict {

// Several cells that a read and a write share are counted as several questions here, which is an
// upper bound.
std::uint64_t Nondeterminism::question_count() const {
  Table<CellId, std::uint64_t> versions(facts_.derived().cells.size(), 1);
  for (EventId e : facts_.trace().events()) {
    if (!writes(facts_.trace().kind(e))) continue;
    for (CellId cell : facts_.cells(e)) ++versions[cell];
  }
  std::uint64_t count = 0;
  // Neither the write that it saw, nor its own.
  const auto add = [&](EventId read, std::uint64_t without) {
    for (CellId cell : facts_.cells(read)) count += versions[cell] - without;
  };
  for (EventId e : facts_.trace().events()) {
    const EventKind kind = facts_.trace().kind(e);
    if (reads(kind)) add(e, writes(kind) ? 2 : 1);
  }
  if (options_.final_reads) {
    for (EventId read : final_reads(facts_)) add(read, 1);
  }
  return count;
}

void ReadSummary::add(const ReadSummary& other) {
  pairs += other.pairs;
  yes += other.yes;
  no += other.no;
  undecided += other.undecided;
  by_filters += other.by_filters;
  by_saturation += other.by_saturation;
  by_search += other.by_search;
}

// The reads of each thread in pieces, small enough to be shared among workers. Each begins with an
// inclusion of all that comes before it, so that a long trace has no more of them.
std::vector<Nondeterminism::Reads> Nondeterminism::portions() const {
  constexpr std::size_t kPortion = 200;
  constexpr std::size_t kPortions = 64;
  const std::size_t most = std::max(kPortion, facts_.trace().size() / kPortions);
  std::vector<Reads> result;
  const auto add = [&](EventId read, bool is_new) {
    if (is_new || result.back().size() >= most) result.emplace_back();
    result.back().push_back(read);
  };
  for (ThreadId t : indices<ThreadId>(facts_.thread_count())) {
    bool is_new = true;
    for (EventId e : facts_.derived().order.events_of(t)) {
      if (!reads(facts_.trace().kind(e))) continue;
      add(e, is_new);
      is_new = false;
    }
  }
  if (!options_.final_reads) return result;
  bool is_new = true;
  for (EventId read : final_reads(facts_)) {
    add(read, is_new);
    is_new = false;
  }
  return result;
}

ReadSummary Nondeterminism::ask(const Reads& reads, ReadEngine& engine,
                                const ReadAnswers& tell) const {
  ReadSummary summary;
  engine.restart();
  for (EventId read : reads) {
    if (options_.budget.is_over()) {
      ++summary.undecided;
      continue;
    }
    ReadQuestion(facts_, engine, read, options_.budget).ask(tell, summary);
  }
  return summary;
}

ReadSummary Nondeterminism::ask_all(const ReadAnswers& tell) const {
  const std::vector<Reads> todo = portions();
  std::vector<std::vector<ReadAnswer>> answers(todo.size());
  std::vector<ReadSummary> summaries(todo.size());
  Tasks tasks(todo.size());
  Tasks::run(options_.workers, [&] {
    ReadEngine engine(facts_);
    while (const auto i = tasks.take()) {
      summaries[*i] = ask(todo[*i], engine, [&](const ReadAnswer& a) { answers[*i].push_back(a); });
    }
  });
  ReadSummary summary;
  for (std::size_t i = 0; i < todo.size(); ++i) {
    summary.add(summaries[i]);
    for (const ReadAnswer& answer : answers[i]) tell(answer);
  }
  return summary;
}

Shown Nondeterminism::show(EventId read, EventId write) const {
  ReadEngine engine(facts_);
  return ReadQuestion(facts_, engine, read, options_.budget).show(write);
}

}  // namespace heddle::predict
