// Short words for tests of models.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/compile.h"
#include "model/interpreter.h"

namespace heddle {

// The model of a text that must be right.
inline model::Model model_of(const std::string& text, const model::CompileOptions& options = {}) {
  auto made = model::compile("test.hm", text, options);
  EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().message) << "\n" << text;
  return std::move(made).value();
}

inline constexpr model::Granularity kAccess = model::Granularity::access;

// The word of a variable, "x" or "a[2]", shared or local.
inline std::uint32_t word_named(const model::Model& model, const std::string& name) {
  for (std::uint32_t word = 0; word < model.layout.words; ++word) {
    if (model.variable_of(word) != nullptr && model.word_name(word) == name) return word;
  }
  ADD_FAILURE() << "no variable " << name;
  return 0;
}

inline ThreadId thread_named(const model::Model& model, const std::string& name) {
  for (const ThreadId thread : indices(model.threads)) {
    if (model.threads[thread].name == name) return thread;
  }
  ADD_FAILURE() << "no thread " << name;
  return ThreadId(0);
}

// "acquire m, write x": an operation as a person reads it.
inline std::string words_of(const System& system, const Operation& operation) {
  std::string text;
  for (const Access& access : operation.accesses) {
    text += (text.empty() ? "" : ", ") + std::string(name_of(access.kind)) + " ";
    text += system.object_name(access.object) + (access.tried ? " (tried)" : "");
  }
  return text;
}

inline std::string next_of(const System& system, ThreadId thread) {
  Operation operation;
  system.next_operation(thread, operation);
  return words_of(system, operation);
}

}  // namespace heddle
