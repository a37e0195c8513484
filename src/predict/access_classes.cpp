#include "predict/access_classes.h"

namespace heddle::predict {

AccessClasses::AccessClasses(const Facts& facts, const Places& places)
    : facts_(facts), trace_(facts.trace()), places_(places), held_(facts) {
  sort_by_cell(uses());
}

template <typename Visit>
void AccessClasses::for_each_access(Visit visit) const {
  for (EventId e : trace_.events()) {
    if (!is_access(trace_.kind(e))) continue;
    for (CellId cell : facts_.cells(e)) visit(e, cell);
  }
}

std::vector<AccessClasses::Use> AccessClasses::uses() const {
  std::vector<Use> uses(facts_.derived().cells.size());
  for_each_access([&](EventId e, CellId cell) {
    Use& use = uses[cell.value()];
    use.shared = use.shared || (use.thread.valid() && use.thread != trace_.thread(e));
    use.thread = trace_.thread(e);
    use.written = use.written || writes(trace_.kind(e));
    ++use.count;
  });
  return uses;
}

void AccessClasses::sort_by_cell(const std::vector<Use>& uses) {
  begin_.assign(uses.size() + 1, 0);
  for (std::size_t i = 0; i < uses.size(); ++i) {
    begin_[i + 1] = begin_[i] + (uses[i].matters() ? uses[i].count : 0);
    shared_cells_ += uses[i].matters() ? 1 : 0;
  }
  accesses_.resize(begin_.back());
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  for_each_access([&](EventId e, CellId cell) {
    if (uses[cell.value()].matters()) accesses_[next[cell.value()]++] = e;
  });
}

std::span<const AlikeAccesses> AccessClasses::of(CellId cell) {
  class_count_ = 0;
  number_of_.clear();
  for (std::uint32_t i = begin_[cell.value()]; i < begin_[cell.value() + 1]; ++i) {
    const AccessClass shared = class_of(accesses_[i]);
    const auto [known, is_new] = number_of_.try_emplace(shared, class_count_);
    if (is_new) add_class(shared);
    classes_[known->second].events.push_back(accesses_[i]);
  }
  return {classes_.data(), class_count_};
}

AccessClass AccessClasses::class_of(EventId e) {
  return {trace_.thread(e), trace_.location(e), trace_.kind(e), places_.of(e), held_.of(e)};
}

void AccessClasses::add_class(const AccessClass& shared) {
  if (class_count_ == classes_.size()) classes_.emplace_back();
  classes_[class_count_].shared = shared;
  classes_[class_count_].events.clear();
  ++class_count_;
}

}  // namespace heddle::predict
