// Whatever the text, compiling it ends with a model or a message.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "model/graph.h"
#include "model/token.h"
#include "tests/model/support.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

// The tokens of all examples and of the wrong models, file by file.
std::vector<std::vector<std::string>> token_files() {
  std::vector<std::vector<std::string>> files;
  for (const char* folder : {HEDDLE_MODELS, HEDDLE_MODEL_ERRORS}) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".hm") continue;
      std::ostringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      const model::SourceText source("f.hm", text.str());
      model::Diagnostics diagnostics(source);
      files.emplace_back();
      for (const model::Token& token : model::tokenize(source, diagnostics)) {
        files.back().emplace_back(source.at(token.range));
      }
    }
  }
  return files;
}

std::string mutated(const std::vector<std::vector<std::string>>& files, Random& random) {
  const auto any = [&](std::size_t size) { return random.below(static_cast<std::uint32_t>(size)); };
  std::vector<std::string> tokens = files[any(files.size())];
  const std::uint32_t mutations = 1 + random.below(6);
  for (std::uint32_t i = 0; i < mutations && !tokens.empty(); ++i) {
    const auto at = tokens.begin() + any(tokens.size());
    const std::vector<std::string>& other = files[any(files.size())];
    switch (random.below(5)) {
      case 0: tokens.erase(at); break;
      case 1: tokens.insert(at, *at); break;
      case 2: std::swap(*at, tokens[any(tokens.size())]); break;
      case 3: tokens.insert(at, random.chance(20) ? "99999999" : other[any(other.size())]); break;
      default: *at = other[any(other.size())]; break;
    }
  }
  std::string text;
  for (const std::string& token : tokens) text += token + (random.chance(10) ? "\n" : " ");
  return text;
}

// Some steps of it, if it has become a model.
void run_a_little(const model::Model& model, Random& random) {
  model::Interpreter interpreter(model);
  OperationList certain;
  for (int i = 0; i < 30; ++i) {
    const ThreadId thread(random.below(static_cast<std::uint32_t>(interpreter.thread_count())));
    if (interpreter.readiness(thread) != Readiness::ready) continue;
    interpreter.certain_operations(thread, 5, certain);
    Operation operation;
    interpreter.next_operation(thread, operation);
    interpreter.step(thread, operation.choices - 1);
    RC_ASSERT(interpreter.describe_last_step().size() < 100000);
  }
  interpreter.rewind(0);
  RC_ASSERT(interpreter.state_hash() == model::Interpreter(model).state_hash());
}

RC_GTEST_PROP(AnyText, IsCompiledOrRefused, ()) {
  static const auto files = token_files();
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  Random random(seed);
  for (int i = 0; i < 20; ++i) {
    const std::string text = mutated(files, random);
    const auto granularity = random.chance(50) ? kAccess : model::Granularity::statement;
    const auto made = model::compile("fuzz.hm", text, {.granularity = granularity});
    if (made.ok() && made->layout.words < 100000) {
      run_a_little(*made, random);
    } else if (!made.ok()) {
      RC_ASSERT(made.error().message.starts_with("fuzz.hm:"));
    }
  }
}

RC_GTEST_PROP(AnyBytes, AreCompiledOrRefused, (const std::string& bytes)) {
  const auto made = model::compile("bytes.hm", "thread t { skip; " + bytes);
  RC_ASSERT(made.ok() || !made.error().message.empty());
}

}  // namespace
}  // namespace heddle
