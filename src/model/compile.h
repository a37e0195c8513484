// From text to a Model: parse, look names up, instantiate threads, build control states.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/model.h"

namespace heddle::model {

enum class Granularity : std::uint8_t {
  statement,  // a statement is one transition, whatever it accesses
  access,     // a transition has at most one shared access, as in compiled C
};

struct CompileOptions {
  std::vector<std::pair<std::string, std::int64_t>> definitions = {};  // values of parameters
  Granularity granularity = Granularity::statement;
};

// `name` is the file's name in messages.
Result<Model> compile(std::string name, std::string text, const CompileOptions& options = {});
Result<Model> load(const std::string& path, const CompileOptions& options = {});

// "N=4", as on the command line; true and false are 1 and 0.
Result<std::pair<std::string, std::int64_t>> parse_definition(const std::string& text);

}  // namespace heddle::model
