#include "finding/output_folder.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <unistd.h>

#include "finding/finding_file.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

bool named_like_a_finding(const std::string& name) {
  constexpr std::string_view kFront = "finding-", kBack = ".json";
  if (name.size() <= kFront.size() + kBack.size()) return false;
  if (!name.starts_with(kFront) || !name.ends_with(kBack)) return false;
  return std::all_of(name.begin() + kFront.size(), name.end() - kBack.size(),
                     [](char c) { return c >= '0' && c <= '9'; });
}

bool is_finding_of(const fs::path& path, const std::string& found_by) {
  if (!named_like_a_finding(path.filename().string())) return false;
  const Result<Finding> earlier = read_finding(path.string());
  return earlier.ok() && earlier->found_by == found_by;
}

Result<void> remove_earlier(const fs::path& folder, const std::string& found_by) {
  std::error_code code;
  std::vector<fs::path> earlier;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
    if (is_finding_of(entry.path(), found_by)) earlier.push_back(entry.path());
  }
  if (code) return make_error("cannot read folder {}: {}", folder.string(), code.message());
  for (const fs::path& path : earlier) {
    fs::remove(path, code);
    if (code) return make_error("cannot remove {}: {}", path.string(), code.message());
  }
  return {};
}

fs::path next_free(const fs::path& folder, std::uint32_t& number) {
  while (true) {
    fs::path path = folder / fmt::format("finding-{}.json", ++number);
    if (!fs::exists(path)) return path;
  }
}

}  // namespace

Result<void> check_output_folder(const std::string& folder) {
  std::error_code ignored;
  fs::path place = fs::absolute(folder, ignored).lexically_normal();
  while (!fs::exists(place, ignored) && place.has_relative_path()) place = place.parent_path();
  if (!fs::is_directory(place, ignored)) {
    return make_error("cannot put findings into '{}': {} is no folder", folder, place.string());
  }
  if (::access(place.c_str(), W_OK | X_OK) != 0) {
    return make_error(
        "cannot put findings into '{}': no permission to write to {}; --out names another folder",
        folder, place.string());
  }
  return {};
}

Result<std::vector<std::string>> write_findings(const std::string& folder,
                                                std::span<const Finding> findings) {
  std::vector<std::string> paths;
  if (findings.empty()) return paths;
  std::error_code code;
  fs::create_directories(folder, code);
  if (code) return make_error("cannot make folder {}: {}", folder, code.message());
  TRY_VOID(remove_earlier(folder, findings.front().found_by));
  std::uint32_t number = 0;
  for (const Finding& finding : findings) {
    paths.push_back(next_free(folder, number).string());
    TRY_VOID(write_finding(paths.back(), finding));
  }
  return paths;
}

}  // namespace heddle
