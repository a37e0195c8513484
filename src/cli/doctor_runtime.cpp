// Heddle's own parts that stand beside the program: the runtime and the compiler wrappers.
#include <fmt/format.h>

#include "cli/doctor.h"
#include "compile/toolchain.h"
#include "native/module_file.h"
#include "record/launch.h"

namespace heddle {
namespace {

constexpr const char* kRemedy = "build all of Heddle (./heddle does), or install it anew";

Check check_runtime_library() {
  const std::string folder = runtime_folder();
  if (folder.empty()) {
    return {"runtime", Verdict::fail,
            "libheddle_rt.so is not there, so programs can be neither built nor recorded", kRemedy};
  }
  const std::string path = folder + "/libheddle_rt.so";
  const auto file = ModuleFile::open(path, false);
  if (!file.ok()) return {"runtime", Verdict::fail, file.error().message, kRemedy};
  return {"runtime", Verdict::ok, path, ""};
}

Check check_engine() {
  const std::string path = runtime_folder() + "/libheddle_engine.so";
  const auto file = ModuleFile::open(path, false);
  if (file.ok()) return {"engine", Verdict::ok, path, ""};
  return {"engine", Verdict::fail,
          "libheddle_engine.so is not beside libheddle_rt.so, so programs cannot be explored",
          kRemedy};
}

Check check_wrapper(const std::string& name) {
  const auto path = own_program(name);
  if (path.ok()) return {name, Verdict::ok, *path, ""};
  return {name, Verdict::fail, path.error().message, kRemedy};
}

}  // namespace

Checks check_runtime() {
  return {check_runtime_library(), check_engine(), check_wrapper("heddle-cc"),
          check_wrapper("heddle-c++")};
}

}  // namespace heddle
