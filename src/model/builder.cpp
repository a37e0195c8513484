#include "model/builder.h"

#include <algorithm>

namespace heddle::model {

VariableId Builder::add_variable(Variable variable) {
  variable.first_word = model.layout.words;
  model.layout.words += std::max(variable.length, 1U);  // so that its first word is its own
  model.initial_words.resize(model.layout.words, default_value(variable.bounds));
  model.word_variables.resize(variable.first_word, VariableId::none());
  const VariableId id = model.variables.add(std::move(variable));
  model.word_variables.resize(model.layout.words, id);
  return id;
}

Reference Builder::folded(const Reference& reference) const {
  if (!reference.index.valid()) return reference;
  const auto known = model.expressions.constant_value(reference.index);
  if (!known) return reference;
  const auto place =
      static_cast<std::uint64_t>(apply(Operator::subtract, *known, reference.offset));
  if (place >= reference.length) return reference;
  return {.base = reference.base + static_cast<std::uint32_t>(place)};
}

void Builder::set_updates(Transition& transition, const std::vector<Update>& updates) {
  transition.first_update = static_cast<std::uint32_t>(model.updates.size());
  transition.update_count = static_cast<std::uint32_t>(updates.size());
  model.updates.insert(model.updates.end(), updates.begin(), updates.end());
}

std::int64_t default_value(Interval bounds) {
  return std::clamp<std::int64_t>(0, bounds.low, bounds.high);
}

}  // namespace heddle::model
