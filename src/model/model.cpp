#include "model/model.h"

#include <fmt/format.h>

namespace heddle::model {

const Variable* Model::variable_of(std::uint32_t word) const {
  if (word >= word_variables.size() || !word_variables[word].valid()) return nullptr;
  return &variables[word_variables[word]];
}

Interval Model::bounds_of(std::uint32_t word) const {
  const Variable* const variable = variable_of(word);
  return variable == nullptr ? Interval::full() : variable->bounds;
}

std::string Model::word_name(std::uint32_t word) const {
  const Variable* const variable = variable_of(word);
  if (variable == nullptr) return fmt::format("word {}", word);
  if (!variable->is_array) return variable->name;
  return fmt::format("{}[{}]", variable->name, word - variable->first_word);
}

std::string Model::object_name(SystemObject object) const {
  const std::uint32_t id = object.value();
  if (id < layout.first_sync_object) return word_name(id);
  if (id >= layout.first_thread_object) {
    return threads[ThreadId(id - layout.first_thread_object)].name;
  }
  const SyncDeclaration& declaration = sync_declarations[sync_object(object).declaration];
  if (!declaration.is_array) return declaration.name;
  return fmt::format("{}[{}]", declaration.name, id - declaration.first.value());
}

std::string Model::value_text(std::uint32_t word, std::int64_t value) const {
  const Variable* const variable = variable_of(word);
  if (variable != nullptr && variable->is_bool) return value != 0 ? "true" : "false";
  return fmt::format("{}", value);
}

}  // namespace heddle::model
