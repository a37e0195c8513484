#include "cli/model_options.h"

#include <CLI/Validators.hpp>

namespace heddle {

void ModelOptions::declare(CLI::App& app) {
  app.add_option("FILE", file, "the model, a *.hm file; '-' is standard input")->required();
  declare_settings(app);
}

void ModelOptions::declare_definitions(CLI::App& app) {
  app.add_option("-D,--define", definitions, "set a parameter of the model, such as N=4")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->take_all();
}

void ModelOptions::declare_settings(CLI::App& app) {
  declare_definitions(app);
  app.add_option("--granularity", granularity,
                 "what one step is: a 'statement', or one shared 'access' as in compiled C")
      ->type_name("WHAT")
      ->check(CLI::IsMember({"statement", "access"}));
}

Result<model::CompileOptions> ModelOptions::compile_options() const {
  model::CompileOptions options;
  options.granularity =
      granularity == "access" ? model::Granularity::access : model::Granularity::statement;
  for (const std::string& definition : definitions) {
    TRY(auto parsed, model::parse_definition(definition));
    options.definitions.push_back(std::move(parsed));
  }
  return options;
}

ModelSubject ModelOptions::subject(const model::Model& model) const {
  const Result<model::CompileOptions> options = compile_options();
  return {.path = file,
          .text_hash = text_hash(model.source.text()),
          .definitions = options.ok() ? options->definitions : model::CompileOptions().definitions,
          .granularity = granularity};
}

}  // namespace heddle
