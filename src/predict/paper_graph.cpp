#include "predict/paper_graph.h"

#include <algorithm>
#include <array>
#include <utility>

#include "predict/choice_run.h"

namespace heddle::predict {

using order::Answer;
using order::Facts;
using order::kNever;
using order::Section;
using order::SectionId;

// --- What never changes ---

PaperTrace::PaperTrace(const Facts& facts) : facts_(facts) {
  find_sync_edges();
  find_notifies();
  find_metas();
  sort_edges();
}

void PaperTrace::sort_edges() {
  std::vector<Edge> all = sync_edges_;
  const Trace& trace = facts_.trace();
  for (EventId e : trace.events()) {
    if (!reads(trace.kind(e))) continue;
    for (CellId cell : facts_.cells(e)) {
      const EventId writer = facts_.writer(facts_.seen(e, cell));
      if (writer != kInitialWrite) all.emplace_back(facts_.node(writer), facts_.node(e));
    }
  }
  first_edge_.assign(trace.size() + 1, 0);
  const auto number = [&](Node node) { return facts_.event(node).value(); };
  for (const auto& [a, b] : all) {
    ++first_edge_[number(a) + 1];
    ++first_edge_[number(b) + 1];
  }
  for (std::size_t i = 1; i < first_edge_.size(); ++i) first_edge_[i] += first_edge_[i - 1];
  edges_by_node_.resize(2 * all.size());
  std::vector<std::uint32_t> next(first_edge_.begin(), first_edge_.end() - 1);
  for (const Edge& edge : all) {
    edges_by_node_[next[number(edge.first)]++] = edge;
    edges_by_node_[next[number(edge.second)]++] = edge;
  }
}

std::span<const Edge> PaperTrace::edges_of(Node node) const {
  const std::uint32_t e = facts_.event(node).value();
  return {edges_by_node_.data() + first_edge_[e], edges_by_node_.data() + first_edge_[e + 1]};
}

void PaperTrace::find_sync_edges() {
  const Trace& trace = facts_.trace();
  std::vector<std::vector<EventId>> last(kObjectTypeCount);
  for (std::size_t type = 0; type < kObjectTypeCount; ++type) {
    last[type].resize(trace.tables.object_count(static_cast<ObjectType>(type)));
  }
  for (EventId e : trace.events()) {
    const EventKind kind = trace.kind(e);
    const ObjectType type = object_type(kind);
    if (kind == EventKind::fork && facts_.length(trace.other_thread(e)) > 0) {
      sync_edges_.emplace_back(facts_.node(e), Node{trace.other_thread(e), 0});
    } else if (kind == EventKind::join && facts_.length(trace.other_thread(e)) > 0) {
      const ThreadId other = trace.other_thread(e);
      sync_edges_.emplace_back(Node{other, facts_.length(other) - 1}, facts_.node(e));
    } else if (type == ObjectType::semaphore || type == ObjectType::barrier ||
               type == ObjectType::once || type == ObjectType::descriptor ||
               type == ObjectType::region) {
      EventId& before = last[static_cast<std::size_t>(type)][trace.object(e)];
      if (before.valid()) sync_edges_.emplace_back(facts_.node(before), facts_.node(e));
      before = e;
    }
  }
}

// Every notify that comes while a thread waits precedes its waking up.
void PaperTrace::find_notifies() {
  const Trace& trace = facts_.trace();
  std::vector<std::vector<std::pair<ThreadId, std::vector<EventId>>>> waiting(
      trace.tables.conditions.size());
  for (EventId e : trace.events()) {
    if (object_type(trace.kind(e)) != ObjectType::condition) continue;
    auto& waiters = waiting[trace.object(e)];
    const ThreadId thread = trace.thread(e);
    switch (trace.kind(e)) {
      case EventKind::wait: waiters.push_back({thread, {}}); break;
      case EventKind::notify:
      case EventKind::notify_all:
        for (auto& [waiter, notifies] : waiters) notifies.push_back(e);
        break;
      default:
        for (const auto& [waiter, notifies] : waiters) {
          if (waiter != thread || trace.kind(e) != EventKind::wake) continue;
          for (EventId n : notifies) sync_edges_.emplace_back(facts_.node(n), facts_.node(e));
        }
        std::erase_if(waiters, [&](const auto& waiter) { return waiter.first == thread; });
    }
  }
}

void PaperTrace::find_metas() {
  metas_.resize(facts_.thread_count());
  for (ThreadId t : indices<ThreadId>(facts_.thread_count())) {
    std::vector<Interval>& metas = metas_[t.value()];
    facts_.for_each_section(t, 0, facts_.length(t), [&](SectionId id) {
      const Section& section = facts_.section(id);
      const std::uint32_t last = std::min(section.release, facts_.length(t) - 1);
      if (!metas.empty() && section.acquire <= metas.back().last) {
        metas.back().last = std::max(metas.back().last, last);
      } else {
        metas.push_back({section.acquire, last});
      }
    });
  }
}

const PaperTrace::Interval* PaperTrace::meta(Node node) const {
  const std::vector<Interval>& metas = metas_[node.thread.value()];
  const auto found =
      std::lower_bound(metas.begin(), metas.end(), node.index,
                       [](const Interval& m, std::uint32_t i) { return m.last < i; });
  return found != metas.end() && found->first <= node.index ? &*found : nullptr;
}

std::uint32_t PaperTrace::meta_begin(Node node) const {
  const Interval* found = meta(node);
  return found != nullptr ? found->first : node.index;
}

std::uint32_t PaperTrace::meta_end(Node node) const {
  const Interval* found = meta(node);
  return found != nullptr ? found->last : node.index;
}

// --- The order with what locks induce ---

namespace {

std::vector<std::uint32_t> lengths_of(const Facts& facts) {
  std::vector<std::uint32_t> result;
  for (ThreadId t : indices<ThreadId>(facts.thread_count())) result.push_back(facts.length(t));
  return result;
}

}  // namespace

PaperGraph::PaperGraph(const PaperTrace& trace, Start start)
    : trace_(trace), lengths_(lengths_of(trace.facts())), order_(lengths_) {
  if (start == Start::complete) {
    for (const auto& [a, b] : trace_.sync_edges()) add(a, b);
    // Each pair once: of two threads, the sections of the first one list it.
    for (SectionId id : indices<SectionId>(facts().section_count())) open_pairs_of(id);
    std::erase_if(open_, [](const OpenPair& pair) { return pair.b.thread < pair.a.thread; });
  } else {
    std::fill(lengths_.begin(), lengths_.end(), 0);
  }
}

void PaperGraph::grow(ThreadId thread, std::uint32_t length) {
  std::uint32_t& now = lengths_[thread.value()];
  if (length <= now) return;
  const std::uint32_t before = std::exchange(now, length);
  for (std::uint32_t i = before; i < length; ++i) add_edges_of({thread, i});
  // Sections that were cut off, or are new, end further on than they did.
  facts().for_each_section(thread, before, length,
                           [&](SectionId id) { lengthen(facts().section(id)); });
  while (!changes_.empty()) {
    const order::ChainOrder::Change change = changes_.back();
    changes_.pop_back();
    follow(change);
  }
  order_.keep();
  facts().for_each_section(thread, before, length, [&](SectionId id) {
    if (facts().section(id).acquire >= before) open_pairs_of(id);
  });
  if (open_.size() > 2 * still_open_) {
    forget_ordered_pairs();
    still_open_ = open_.size() + 16;
  }
}

void PaperGraph::add_edges_of(Node node) {
  for (const auto& [a, b] : trace_.edges_of(node)) {
    if (contains(a) && contains(b)) add(a, b);
  }
}

// What precedes its new end has ended before it begins; and what it precedes begins after its new
// end.
void PaperGraph::lengthen(const Section& section) {
  for (const auto& row : facts().acquires().rows(section.lock)) {
    if (row.thread == section.thread || lengths_[row.thread.value()] == 0) continue;
    order_after(section, row.thread, order_.before(end_of(section), row.thread));
    const std::uint32_t after = order_.after(begin_of(section), row.thread);
    if (after >= lengths_[row.thread.value()]) continue;
    facts().for_each_section(row.thread, after, lengths_[row.thread.value()], [&](SectionId id) {
      const Section& later = facts().section(id);
      if (exclude_each_other(section, later)) {
        order_.add(end_of(section), begin_of(later), changes_);
      }
    });
  }
}

bool PaperGraph::add_edge(Node a, Node b) {
  const EventId tail = facts().event(a);
  const EventId head = facts().event(b);
  if (head < tail) {
    first_turned_ = std::min(first_turned_, head);
    last_turned_ = std::max(last_turned_, tail);
  }
  return order_.add(a, b, changes_);
}

bool PaperGraph::add(Node a, Node b) {
  if (cyclic_ || !add_edge(a, b)) cyclic_ = true;
  while (!cyclic_ && !changes_.empty()) {
    const order::ChainOrder::Change change = changes_.back();
    changes_.pop_back();
    follow(change);
  }
  return !cyclic_;
}

void PaperGraph::undo(order::ChainOrder::Mark mark) {
  order_.undo(mark);
  changes_.clear();
  cyclic_ = false;
  first_turned_ = EventId::none();
  last_turned_ = EventId(0);
}

void PaperGraph::follow(const order::ChainOrder::Change& change) {
  const std::uint32_t end = std::min(change.until, lengths_[change.to.value()]);
  facts().for_each_section(change.to, change.index, end, [&](SectionId id) {
    order_after(facts().section(id), change.from, change.count);
  });
}

// The first `count` events of the other thread precede the end of the section.
void PaperGraph::order_after(const Section& section, ThreadId other, std::uint32_t count) {
  if (cyclic_ || other == section.thread) return;
  const auto& lists = section.reader ? facts().writer_acquires() : facts().acquires();
  const auto* begun = last_below(lists.items(section.lock, other), count);
  if (begun == nullptr) return;
  const Section& first = facts().section(SectionId(begun->payload));
  if (!add_edge(end_of(first), begin_of(section))) cyclic_ = true;
}

Node PaperGraph::end_of(const Section& section) const {
  return {section.thread, std::min(section.release, lengths_[section.thread.value()] - 1)};
}

bool PaperGraph::unordered(const Section& a, const Section& b) const {
  return !order_.precedes(begin_of(a), end_of(b)) && !order_.precedes(begin_of(b), end_of(a));
}

// --- Choices ---

// A choice edge on the way lies with both ends in what the head reaches and what reaches the
// tail, since choice edges are walked both ways. So there is none unless the tail is reached.
std::vector<PaperGraph::Choice> PaperGraph::choices(std::span<const Edge> witness_edges) {
  std::vector<Choice> result;
  for (const auto& [tail, head] : witness_edges) {
    reach_forward(head, first_);
    if (first_[tail.thread.value()] > tail.index) continue;
    reach_backward(tail, count_);
    collect(first_, count_, result);
  }
  // In this order the observed orders of most pairs follow from those before.
  std::sort(result.begin(), result.end(),
            [](const Choice& a, const Choice& b) { return a.key < b.key; });
  result.erase(std::unique(result.begin(), result.end(),
                           [](const Choice& a, const Choice& b) { return a.key == b.key; }),
               result.end());
  return result;
}

void PaperGraph::reach_forward(Node from, Positions& first) {
  first.assign(lengths_.size(), kNever);
  first[from.thread.value()] = trace_.meta_begin(from);
  const auto reach = [&](ThreadId other, std::uint32_t index) {
    if (index >= std::min(lengths_[other.value()], first[other.value()])) return false;
    const std::uint32_t begin = trace_.meta_begin({other, index});
    const bool is_new = begin < first[other.value()];
    first[other.value()] = std::min(begin, first[other.value()]);
    return is_new;
  };
  bool again = true;
  while (again) {
    again = false;
    for (ThreadId t : indices<ThreadId>(lengths_.size())) {
      if (first[t.value()] == kNever) continue;
      for (ThreadId other : indices<ThreadId>(lengths_.size())) {
        if (other != t && reach(other, order_.after({t, first[t.value()]}, other))) again = true;
      }
    }
    for (const OpenPair& pair : open_) {
      const bool a = pair.a.index >= first[pair.a.thread.value()];
      const bool b = pair.b.index >= first[pair.b.thread.value()];
      if (a == b || !is_open(pair)) continue;
      const Node next = a ? pair.b : pair.a;
      if (reach(next.thread, next.index)) again = true;
    }
  }
}

void PaperGraph::reach_backward(Node to, Positions& count) {
  count.assign(lengths_.size(), 0);
  const auto reach = [&](ThreadId other, std::uint32_t events) {
    if (events <= count[other.value()]) return false;
    count[other.value()] =
        std::min(trace_.meta_end({other, events - 1}) + 1, lengths_[other.value()]);
    return true;
  };
  reach(to.thread, to.index + 1);
  bool again = true;
  while (again) {
    again = false;
    for (ThreadId t : indices<ThreadId>(lengths_.size())) {
      if (count[t.value()] == 0) continue;
      for (ThreadId other : indices<ThreadId>(lengths_.size())) {
        if (other == t) continue;
        if (reach(other, order_.before({t, count[t.value()] - 1}, other))) again = true;
      }
    }
    for (const OpenPair& pair : open_) {
      const bool a = pair.a.index < count[pair.a.thread.value()];
      const bool b = pair.b.index < count[pair.b.thread.value()];
      if (a == b || !is_open(pair)) continue;
      const Node next = a ? pair.b : pair.a;
      if (reach(next.thread, next.index + 1)) again = true;
    }
  }
}

void PaperGraph::collect(const Positions& first, const Positions& count,
                         std::vector<Choice>& result) {
  const auto inside = [&](Node node) {
    return node.index >= first[node.thread.value()] && node.index < count[node.thread.value()];
  };
  for (const OpenPair& pair : open_) {
    if (!inside(pair.a) || !inside(pair.b) || !is_open(pair)) continue;
    const Section* one = &facts().section(pair.first);
    const Section* two = &facts().section(pair.second);
    if (facts().event(begin_of(*two)) < facts().event(begin_of(*one))) std::swap(one, two);
    const std::uint64_t later = facts().event(begin_of(*two)).value();
    const std::uint32_t earlier = facts().event(begin_of(*one)).value();
    result.push_back({{end_of(*one), begin_of(*two)},
                      {end_of(*two), begin_of(*one)},
                      later << 32 | static_cast<std::uint32_t>(~earlier)});
  }
}

// --- Pairs of scopes that may be unordered ---

bool PaperGraph::is_open(const OpenPair& pair) const {
  return contains(pair.a) && contains(pair.b) &&
         unordered(facts().section(pair.first), facts().section(pair.second));
}

void PaperGraph::open_pairs_of(SectionId id) {
  const Section& section = facts().section(id);
  for (const auto& row : facts().acquires().rows(section.lock)) {
    if (row.thread == section.thread) continue;
    for (const auto& item : facts().acquires().items(row)) {
      const Section& other = facts().section(SectionId(item.payload));
      if (!contains(begin_of(other))) break;
      if (!exclude_each_other(section, other) || !unordered(section, other)) continue;
      open_.push_back({id, SectionId(item.payload), begin_of(section), begin_of(other)});
    }
  }
}

std::vector<PaperGraph::OpenPair> PaperGraph::forget_ordered_pairs() {
  std::vector<OpenPair> before = open_;
  std::erase_if(open_, [&](const OpenPair& pair) { return !is_open(pair); });
  return before;
}

bool PaperGraph::is_acyclic_as_observed(std::span<const Choice> choices) const {
  if (!first_turned_.valid()) return true;
  ChoiceRun run(facts(), order_, lengths_, {first_turned_, last_turned_});
  for (const Choice& choice : choices) run.add(choice.observed);
  return run.ends();
}

// Goes through all ways, the observed order of each pair first. A cycle dismisses all ways that
// have the choices so far in common, and counts as one graph.
Answer PaperGraph::has_acyclic_choice(std::span<const Choice> choices, std::uint64_t most,
                                      std::uint64_t& tried) {
  struct Level {
    order::ChainOrder::Mark mark;
    bool turned;
  };
  if (most > 0 && is_acyclic_as_observed(choices)) {
    ++tried;
    return Answer::yes;
  }
  std::vector<Level> levels;
  const order::ChainOrder::Mark start = order_.mark();
  Answer answer = Answer::undecided;
  bool turned = false;
  while (answer == Answer::undecided && tried < most) {
    if (levels.size() == choices.size()) {
      ++tried;
      answer = Answer::yes;
      break;
    }
    const Choice& choice = choices[levels.size()];
    const auto& [a, b] = turned ? choice.turned : choice.observed;
    const order::ChainOrder::Mark mark = order_.mark();
    if (order_.add(a, b)) {
      levels.push_back({mark, turned});
      turned = false;
      continue;
    }
    ++tried;
    // Back to the last choice that has not been turned yet.
    while (turned && !levels.empty()) {
      order_.undo(levels.back().mark);
      turned = levels.back().turned;
      levels.pop_back();
    }
    if (turned) answer = Answer::no;
    turned = true;
  }
  order_.undo(start);
  return answer;
}

}  // namespace heddle::predict
