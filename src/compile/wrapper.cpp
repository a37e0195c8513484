#include "compile/wrapper.h"

#include "base/subprocess.h"
#include "compile/plan.h"
#include "compile/toolchain.h"

namespace heddle {
namespace {

Result<std::vector<std::string>> command_for(Language language,
                                             std::span<const std::string> words) {
  TRY(const Invocation invocation, parse_invocation(words, read_whole_file));
  TRY(const Toolchain toolchain, find_toolchain(language, invocation));
  return plan_command(invocation, toolchain);
}

}  // namespace

Error run_wrapper(Language language, std::span<const std::string> words) {
  const auto command = command_for(language, words);
  return command.ok() ? become_program(*command) : command.error();
}

}  // namespace heddle
