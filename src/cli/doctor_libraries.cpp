// The libraries that this program was built with, or runs with where they can tell.
#include <CLI/Version.hpp>
#include <absl/base/config.h>
#include <elfutils/version.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>

#include "cli/doctor.h"

namespace heddle {
namespace {

// A version as one number, with two decimal digits for each of the last two parts.
std::string dotted(unsigned number) {
  return fmt::format("{}.{}.{}", number / 10000, number / 100 % 100, number % 100);
}

std::string abseil_version() {
#if defined(ABSL_LTS_RELEASE_VERSION)
  return fmt::format("LTS {}.{}", ABSL_LTS_RELEASE_VERSION, ABSL_LTS_RELEASE_PATCH_LEVEL);
#else
  return "without a version";
#endif
}

std::string json_version() {
  return fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                     NLOHMANN_JSON_VERSION_PATCH);
}

std::string elfutils_version() {
  return fmt::format("{}.{}", _ELFUTILS_VERSION / 1000, _ELFUTILS_VERSION % 1000);
}

}  // namespace

Checks check_libraries() {
  const std::string list = fmt::format(
      "fmt {}, zstd {}, xxHash {}, zlib {}, CLI11 {}, nlohmann JSON {}, Abseil {}, elfutils {}",
      dotted(FMT_VERSION), ZSTD_versionString(), dotted(XXH_versionNumber()), zlibVersion(),
      CLI11_VERSION, json_version(), abseil_version(), elfutils_version());
  return {{"libraries", Verdict::ok, list, ""}};
}

}  // namespace heddle
