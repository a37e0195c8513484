#include "ranges/everywhere.h"

#include <map>
#include <optional>

namespace heddle::ranges {
namespace {

using Row = std::vector<Interval>;  // of the shared words

void join_row(Row& row, const Row& other) {
  if (row.empty()) {
    row = other;
    return;
  }
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = model::join(row[i], other[i]);
}

// A write of a step, to shared words.
struct Interference {
  PointId step{};  // where the step began
  ThreadId thread{};
  Write write;
};

class Everywhere {
 public:
  Everywhere(const Program& program, const Record& record)
      : program_(program),
        flow_(program.flow),
        record_(record),
        rows_(flow_.size()),
        shared_(flow_.model().layout.shared_words),
        ranges_(flow_.model().states.size()) {}

  StateRanges run() {
    collect_writes();
    for (const ThreadId thread : indices(flow_.model().threads)) start(thread);
    for (const PointId point : indices<PointId>(flow_.size())) pass(point);
    for (const auto& [state, environment] : flow_.beginnings()) add_beginning(state, environment);
    return std::move(ranges_);
  }

 private:
  // Writes inside a step happen, for others, where the step began.
  void collect_writes() {
    for (const PointId step : indices<PointId>(flow_.size())) {
      if (flow_[step].stops) collect_writes(step, step);
    }
  }

  void collect_writes(PointId step, PointId from) {
    std::vector<PointId> open{from};
    while (!open.empty()) {
      const PointId at = open.back();
      open.pop_back();
      for (const Edge& edge : flow_.edges(at)) {
        for (const Write& write : record_.written[flow_.edge_index(edge)]) {
          const bool shared = write.first_word < shared_;
          if (shared) interferences_.push_back({step, flow_[step].thread, write});
        }
        if (!flow_[edge.target].stops) open.push_back(edge.target);
      }
    }
  }

  void start(ThreadId thread) {
    const PointId first = flow_.first(thread);
    const auto& initial = flow_.model().initial_words;
    for (std::size_t word = 0; word < shared_; ++word) {
      rows_[first].push_back(Interval::of(initial[word]));
    }
  }

  void pass(PointId point) {
    Row row = std::move(rows_[point]);
    rows_[point].clear();
    if (!record_.reached(point)) return;
    if (flow_[point].stops) interfere(point, row);
    keep(point, row);
    for (const Edge& edge : flow_.edges(point)) {
      if (!record_.reached(edge.target)) continue;
      Row behind = row;
      for (const Write& write : record_.written[flow_.edge_index(edge)]) put(write, behind);
      join_row(rows_[edge.target], behind);
    }
  }

  void put(const Write& write, Row& row) const {
    if (write.first_word >= shared_) return;
    if (write.length == 1 && write.certain) {
      row[write.first_word] = write.value;
      return;
    }
    for (std::uint32_t i = 0; i < write.length; ++i) {
      row[write.first_word + i] = model::join(row[write.first_word + i], write.value);
    }
  }

  // What others may write while the thread stands here depends on the facts of the point.
  void interfere(PointId point, Row& row) {
    const auto key = std::pair(flow_[point].thread, key_of(point));
    auto known = others_.find(key);
    if (known == others_.end()) known = others_.emplace(key, what_others_write(point)).first;
    for (std::uint32_t word = 0; word < shared_; ++word) {
      const std::optional<Interval>& value = known->second[word];
      if (value) row[word] = model::join(row[word], *value);
    }
  }

  // Points with the same facts, of one thread, meet the same points of others; but for
  // whether the thread has begun and whether it is over.
  std::uint32_t key_of(PointId point) const {
    const bool over = flow_.is_last(point) && !flow_[point].cut;
    return program_.meeting.facts(point).value() * 4 + (flow_[point].begins ? 2U : 0U) +
           (over ? 1U : 0U);
  }

  std::vector<std::optional<Interval>> what_others_write(PointId point) const {
    std::vector<std::optional<Interval>> made(shared_);
    for (const Interference& other : interferences_) {
      if (other.thread == flow_[point].thread) continue;
      if (!program_.meeting.can_meet(point, other.step)) continue;
      for (std::uint32_t i = 0; i < other.write.length; ++i) {
        std::optional<Interval>& value = made[other.write.first_word + i];
        value = value ? model::join(*value, other.write.value) : other.write.value;
      }
    }
    return made;
  }

  void keep(PointId point, const Row& row) {
    if (flow_[point].cut) return;
    Row all = row;
    const std::vector<Interval>& local = record_.local[point];
    const model::ModelThread& thread = flow_.model().threads[flow_[point].thread];
    all.insert(all.end(), local.begin(), local.begin() + (thread.end_word - thread.first_word));
    ranges_[flow_[point].state].reachable = true;
    join_row(ranges_[flow_[point].state].words, all);
  }

  void add_beginning(model::StateId state, const Environment& environment) {
    Row all;
    for (std::uint32_t word = 0; word < shared_; ++word) {
      all.push_back(Interval::of(flow_.model().initial_words[word]));
    }
    for (std::uint32_t i = 0; i < environment.local_count(); ++i)
      all.push_back(environment.local(i));
    ranges_[state].reachable = true;
    join_row(ranges_[state].words, all);
  }

  const Program& program_;
  const Flow& flow_;
  const Record& record_;
  std::vector<Interference> interferences_;
  Table<PointId, Row> rows_;
  std::size_t shared_;
  std::map<std::pair<ThreadId, std::uint32_t>, std::vector<std::optional<Interval>>> others_;
  StateRanges ranges_;
};

}  // namespace

StateRanges ranges_everywhere(const Program& program, const Record& record) {
  return Everywhere(program, record).run();
}

}  // namespace heddle::ranges
