#include "trace/validate.h"

#include "trace/explain_offence.h"
#include "trace/repairer.h"

namespace heddle {
namespace {

// The offences among the changes of the last event.
void note_offences(const Repairer& repairer, const EventSource& source, std::size_t i,
                   std::size_t at_most, Validation& validation) {
  for (const Change& change : repairer.changes()) {
    if (change.consequence) continue;
    ++validation.total;
    if (validation.first.size() >= at_most) continue;
    validation.first.push_back(
        {source.where(i), validation.events, Offence{change.rule, change.problem}});
  }
}

}  // namespace

ValidatingSource::ValidatingSource(std::unique_ptr<EventSource> inner)
    : inner_(std::move(inner)), state_(inner_->tables()) {}

Result<void> ValidatingSource::next(std::vector<EventRecord>& batch) {
  TRY_VOID(inner_->next(batch));
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (const auto rule = state_.broken_rule(batch[i])) [[unlikely]] {
      return make_error("{}: {} (rule {}); --repair can mend this", where(i),
                        explain_offence(state_, *rule, batch[i]), name_of(*rule));
    }
    state_.apply(batch[i]);
  }
  return {};
}

Result<Validation> validate(EventSource& source, std::size_t at_most) {
  Validation validation;
  Repairer repairer(source.tables());
  std::vector<EventRecord> batch;
  std::vector<EventRecord> repaired;
  for (;;) {
    TRY_VOID(source.next(batch));
    if (batch.empty()) return validation;
    repairer.follow_tables();
    for (std::size_t i = 0; i < batch.size(); ++i, ++validation.events) {
      repaired.clear();
      repairer.explain(validation.first.size() < at_most);
      repairer.take(batch[i], repaired);
      note_offences(repairer, source, i, at_most, validation);
    }
  }
}

}  // namespace heddle
