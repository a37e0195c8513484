// What all commands that take a model file have in common: the file, -D, --granularity.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command.h"
#include "finding/finding.h"
#include "model/compile.h"

namespace heddle {

struct ModelOptions {
  std::string file;
  std::vector<std::string> definitions;
  std::string granularity = "statement";

  void declare(CLI::App& app);
  // All but the file.
  void declare_settings(CLI::App& app);
  void declare_definitions(CLI::App& app);
  // A wrong definition is a matter of usage, anything else of the input.
  Result<model::CompileOptions> compile_options() const;
  // What a finding says about the model that it was found on.
  ModelSubject subject(const model::Model& model) const;
};

// Loads the model and hands it to `use`, or says what is wrong with it.
template <typename Use>
ExitStatus with_model(const ModelOptions& options, const Use& use);

}  // namespace heddle

#include "cli/output.h"

template <typename Use>
heddle::ExitStatus heddle::with_model(const ModelOptions& options, const Use& use) {
  const Result<model::CompileOptions> compile_options = options.compile_options();
  if (!compile_options.ok()) return fail(ExitStatus::usage, compile_options.error());
  const Result<model::Model> loaded = model::load(options.file, *compile_options);
  if (!loaded.ok()) return fail(ExitStatus::bad_input, loaded.error());
  return use(*loaded);
}
