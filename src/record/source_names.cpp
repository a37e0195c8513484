#include "record/source_names.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "native/module_file.h"

namespace heddle {
namespace {

// Libraries that every program has: their calls are interposed, or known not to matter.
constexpr std::array<std::string_view, 11> kSystemLibraries = {
    "libc.so",       "libm.so",  "libstdc++.so", "libgcc_s.so",  "ld-linux",       "linux-vdso",
    "libpthread.so", "libdl.so", "librt.so",     "libatomic.so", "libheddle_rt.so"};

bool is_foreign(const MappedModule& module, const std::string& name) {
  const auto starts_name = [&](std::string_view known) { return name.starts_with(known); };
  return !module.has_source && !name.empty() &&
         std::none_of(kSystemLibraries.begin(), kSystemLibraries.end(), starts_name);
}

}  // namespace

bool is_part_only(std::string_view name) { return name.find(" +") != std::string_view::npos; }

void SourceNames::add_module(std::uint64_t low, std::uint64_t high, const std::string& path) {
  const auto file = ModuleFile::open(path, false);
  // What is added to the addresses in the file; one that cannot be read has no names anyway.
  const std::uint64_t base = file.ok() ? low - file->lowest_address() : low;
  const bool instrumented = file.ok() && file->needs_library("libheddle_rt.so");
  program_.add({path, "", base, low, high, instrumented});
}

std::span<const SourceFrame> SourceNames::frames_at(std::uint64_t address) {
  const auto frames = program_.frames_at(address);
  return frames.ok() ? *frames : std::span<const SourceFrame>();
}

void SourceNames::note_missing_lines(std::uint64_t address) {
  const auto module = program_.module_at(address);
  if (!module || !program_.modules()[*module].has_source) return;
  const auto frames = program_.frames_at(address);
  if (!frames.ok()) problems_.try_emplace(*module, frames.error().message);
}

// Not by NativeProgram::data_name, which keeps every answer: nobody asks for a location twice.
std::string SourceNames::data_name(std::uint64_t address, std::uint32_t size) {
  const auto module = program_.module_at(address);
  if (!module) return {};
  const auto variables = program_.variables(*module);
  const std::uint64_t place = address - program_.modules()[*module].base;
  const Variable* const variable = variables.ok() ? (*variables)->at(place) : nullptr;
  if (variable != nullptr) return (*variables)->part_of(*variable, place, size);
  const auto symbol = program_.symbol_name(address);
  return symbol.ok() ? *symbol : std::string();
}

std::string SourceNames::thread_local_name(std::uint64_t module, std::uint64_t offset,
                                           std::uint32_t size) {
  const auto index = program_.module_at(module);
  if (!index) return {};
  const auto name = program_.thread_local_name(*index, offset, size);
  return name.ok() ? std::string(*name) : std::string();
}

std::string SourceNames::object_name(std::uint64_t address, std::span<const std::uint32_t> sizes) {
  std::string name;
  for (const std::uint32_t size : sizes) {
    name = data_name(address, size);
    if (!is_part_only(name)) break;
  }
  return name;
}

std::uint64_t SourceNames::linked_address(std::uint64_t address) const {
  const auto module = program_.module_at(address);
  return module ? address - program_.modules()[*module].base : address;
}

const std::string& SourceNames::source_folder() {
  if (!source_folder_) {
    const bool known = !program_.modules().empty();
    const auto folder = known ? program_.source_folder(0) : Result<std::string>(std::string());
    source_folder_ = folder.ok() ? *folder : std::string();
  }
  return *source_folder_;
}

std::string SourceNames::short_name(std::string_view file) {
  const std::string& folder = source_folder();
  const std::string path = std::filesystem::path(file).lexically_normal().string();
  const bool inside = folder.size() > 1 && path.size() > folder.size() + 1 &&
                      path.starts_with(folder) && path[folder.size()] == '/';
  return inside ? path.substr(folder.size() + 1) : path;
}

std::vector<std::string> SourceNames::unseen() {
  std::vector<std::string> lines;
  for (const auto& [module, line] : problems_) lines.push_back(line);
  for (const MappedModule& module : program_.modules()) {
    const std::string name = std::filesystem::path(module.path).filename();
    if (is_foreign(module, name)) {
      lines.push_back(fmt::format("the code of {}: it is not instrumented", name));
    }
  }
  return lines;
}

}  // namespace heddle
