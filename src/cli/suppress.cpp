// heddle suppress: an entry for a suppression file, for a finding that is known and may stay.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include "base/output.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "finding/finding_file.h"
#include "finding/suppressions.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

struct SuppressOptions {
  std::string finding;  // a number, its beginning, or a file
  std::string folder = "heddle-out";
  std::string file = "heddle.supp";
};

Result<Finding> numbered(const std::string& path) {
  TRY(Finding finding, read_finding(path));
  if (finding.id.empty()) {
    return make_error("{}: the finding has no number; only `heddle check` gives one", path);
  }
  return finding;
}

// All findings in the folder whose number begins so, one for each number.
std::vector<Finding> findings_like(const std::string& folder, const std::string& id) {
  std::vector<Finding> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() != ".json") continue;
    auto finding = read_finding(entry.path().string());
    if (!finding.ok() || finding->id.empty() || !finding->id.starts_with(id)) continue;
    const bool known = std::any_of(found.begin(), found.end(),
                                   [&](const Finding& other) { return other.id == finding->id; });
    if (!known) found.push_back(*std::move(finding));
  }
  return found;
}

Result<Finding> find(const SuppressOptions& options) {
  if (options.finding.ends_with(".json")) return numbered(options.finding);
  std::vector<Finding> found = findings_like(options.folder, options.finding);
  if (found.size() == 1) return std::move(found.front());
  if (found.empty()) {
    return make_error("no finding in {} has the number {}; `heddle check` shows them",
                      options.folder, options.finding);
  }
  return make_error("{} findings in {} have a number that begins with {}; give more of it",
                    found.size(), options.folder, options.finding);
}

// A file that is there is added to; one that cannot be understood is left alone.
Result<bool> add_entry(const std::string& path, const Finding& finding) {
  Suppressions suppressions;
  std::string text;
  if (fs::exists(path)) {
    TRY_VOID(suppressions.read(path));
    std::ifstream file(path);
    text.assign(std::istreambuf_iterator<char>(file), {});
  }
  if (suppressions.cover(finding, finding.id)) return false;
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  TRY(const auto output, Output::create(path));
  TRY_VOID(output->write(text + suppression_entry(finding, finding.id)));
  TRY_VOID(output->close());
  return true;
}

ExitStatus run(const SuppressOptions& options) {
  const auto finding = find(options);
  if (!finding.ok()) return fail(ExitStatus::bad_input, finding.error());
  const auto added = add_entry(options.file, *finding);
  if (!added.ok()) return fail(ExitStatus::bad_input, added.error());
  if (!*added) {
    print("{}: {} is suppressed already\n", options.file, finding->id);
    return ExitStatus::ok;
  }
  print("{}: now suppresses {} ({}: {})\n", options.file, finding->id, name_of(finding->kind),
        finding->message);
  print("use it with: heddle check --suppressions {} ...\n", options.file);
  return ExitStatus::ok;
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<SuppressOptions>();
  app.add_option("FINDING", options->finding,
                 "its number as `heddle check` shows it, or the beginning of that; or its file")
      ->required();
  app.add_option("--from", options->folder, "the folder of findings (default heddle-out)")
      ->type_name("DIR");
  app.add_option("--file", options->file, "the file to add to (default heddle.supp)")
      ->type_name("FILE");
  return [options] { return run(*options); };
}

}  // namespace

constinit const Command kSuppressCommand = {
    .name = "suppress",
    .summary = "write down that a finding is known and may stay",
    .help =
        "Adds an entry for one finding of `heddle check` to a suppression file:\n"
        "\n"
        "  heddle suppress 3f2a90c1d04e           heddle suppress heddle-out/finding-1.json\n"
        "  heddle check --suppressions heddle.supp bank.cpp\n"
        "\n"
        "The entry covers this finding and no other, as long as the lines that it is about stay\n"
        "as they are; they may move. Broader entries (race:Statistics::mean) are written by hand,\n"
        "in the format of the thread sanitizer. `heddle check` names entries that are of no use.\n"
        "\n"
        "Exit status: 0 the entry is there, 64 wrong usage, 65 there is no such finding, or the\n"
        "file is no suppression file.",
    .declare = declare,
};

}  // namespace heddle
