#include "native/program.h"

#include <algorithm>
#include <deque>

#include <fmt/format.h>

#include "native/module_file.h"

namespace heddle {
namespace {

// Debug information of one module, read as far as it was needed. What went wrong once is
// remembered, too.
class ModuleInformation {
 public:
  Result<const ModuleFile*> file(const MappedModule& module) {
    if (!file_) file_ = open(module);
    if (!file_->ok()) return file_->error();
    return static_cast<const ModuleFile*>(&file_->value());
  }
  Result<CodeTable*> code(const MappedModule& module) {
    TRY(Dwarf* const dwarf, dwarf_of(module));
    if (!code_) code_.emplace(dwarf);
    return &*code_;
  }
  Result<const VariableTable*> variables(const MappedModule& module) {
    TRY(Dwarf* const dwarf, dwarf_of(module));
    if (!variables_) variables_ = VariableTable::read(dwarf);
    return static_cast<const VariableTable*>(&*variables_);
  }
  Result<LocalTable*> locals(const MappedModule& module) {
    TRY(CodeTable* const code_table, code(module));
    if (!locals_) locals_.emplace(dwarf_->value(), file_->value().call_frames(), *code_table);
    return &*locals_;
  }

 private:
  Result<Dwarf*> dwarf_of(const MappedModule& module) {
    if (!module.has_source) return make_error("'{}' is not asked for its source", module.path);
    TRY(const ModuleFile* const opened, file(module));
    if (!dwarf_) dwarf_ = opened->dwarf();
    return *dwarf_;
  }
  static Result<ModuleFile> open(const MappedModule& module) {
    TRY(ModuleFile file, ModuleFile::open(module.path, module.has_source));
    const std::string found = file.build_id();
    if (!module.build_id.empty() && module.build_id != found) {
      return make_error(
          "'{}' is not the file that was run: its build id is {} instead of {}; record again",
          module.path, found.empty() ? "missing" : found, module.build_id);
    }
    return file;
  }

  std::optional<Result<ModuleFile>> file_;
  std::optional<Result<Dwarf*>> dwarf_;
  std::optional<CodeTable> code_;
  std::optional<VariableTable> variables_;
  std::optional<LocalTable> locals_;
};

// Where an access is: the module counts for thread-locals only.
struct AccessKey {
  std::uint64_t place = 0;
  std::uint64_t size = 0;
  std::size_t thread_local_module = kNone;

  static constexpr std::size_t kNone = ~std::size_t{0};
  friend bool operator==(const AccessKey&, const AccessKey&) = default;
  template <typename H>
  friend H AbslHashValue(H state, const AccessKey& key) {
    return H::combine(std::move(state), key.place, key.size, key.thread_local_module);
  }
};

}  // namespace

struct NativeProgram::State {
  std::vector<MappedModule> modules;
  std::vector<std::size_t> by_start;          // indices of modules, sorted
  std::deque<ModuleInformation> information;  // does not move: frames point into it
  absl::flat_hash_map<std::uint64_t, std::vector<SourceFrame>> frames;
  absl::flat_hash_map<AccessKey, StringId> names;
  StringTable strings;

  // The table of the frame's function, and what is to be subtracted from addresses of code.
  std::pair<LocalTable*, std::uint64_t> locals_of(std::optional<std::size_t> module) {
    if (!module) return {nullptr, 0};
    const auto table = information[*module].locals(modules[*module]);
    return {table.ok() ? *table : nullptr, modules[*module].base};
  }
};

NativeProgram::~NativeProgram() = default;
NativeProgram::NativeProgram(NativeProgram&&) noexcept = default;
NativeProgram& NativeProgram::operator=(NativeProgram&&) noexcept = default;

NativeProgram::NativeProgram(std::vector<MappedModule> modules)
    : state_(std::make_unique<State>()) {
  for (MappedModule& module : modules) add(std::move(module));
}

void NativeProgram::add(MappedModule module) {
  const auto is_after = [&](std::uint64_t start, std::size_t other) {
    return start < state_->modules[other].start;
  };
  const auto place =
      std::upper_bound(state_->by_start.begin(), state_->by_start.end(), module.start, is_after);
  state_->by_start.insert(place, state_->modules.size());
  state_->modules.push_back(std::move(module));
  state_->information.emplace_back();
  state_->frames.clear();
  state_->names.clear();
}

std::span<const MappedModule> NativeProgram::modules() const { return state_->modules; }

std::optional<std::size_t> NativeProgram::module_at(std::uint64_t address) const {
  const auto after = std::upper_bound(state_->by_start.begin(), state_->by_start.end(), address,
                                      [&](std::uint64_t wanted, std::size_t module) {
                                        return wanted < state_->modules[module].start;
                                      });
  if (after == state_->by_start.begin()) return std::nullopt;
  const std::size_t module = *std::prev(after);
  return address < state_->modules[module].end ? std::optional(module) : std::nullopt;
}

Result<const VariableTable*> NativeProgram::variables(std::size_t module) {
  return state_->information[module].variables(state_->modules[module]);
}

Result<std::string> NativeProgram::symbol_name(std::uint64_t address) {
  const auto module = module_at(address);
  if (!module) return make_error("no module of the program is at address {:#x}", address);
  const MappedModule& mapped = state_->modules[*module];
  TRY(const ModuleFile* const file, state_->information[*module].file(mapped));
  const auto symbol = file->symbol_at(address - mapped.base);
  if (!symbol) return std::string();
  return symbol->offset == 0 ? symbol->name : fmt::format("{} +{}", symbol->name, symbol->offset);
}

Result<std::string> NativeProgram::source_folder(std::size_t module) {
  TRY(const CodeTable* const code, state_->information[module].code(state_->modules[module]));
  return code->source_folder();
}

Result<std::span<const SourceFrame>> NativeProgram::frames_at(std::uint64_t address) {
  const auto known = state_->frames.find(address);
  if (known != state_->frames.end()) return std::span<const SourceFrame>(known->second);
  const auto module = module_at(address);
  if (!module) return make_error("no module of the program is at address {:#x}", address);
  const MappedModule& mapped = state_->modules[*module];
  TRY(CodeTable* const code, state_->information[*module].code(mapped));
  auto& frames = state_->frames[address] = code->frames_at(address - mapped.base);
  return std::span<const SourceFrame>(frames);
}

Result<std::string_view> NativeProgram::data_name(std::uint64_t address, std::uint64_t size) {
  const AccessKey key = {address, size, AccessKey::kNone};
  const auto known = state_->names.find(key);
  if (known != state_->names.end()) return state_->strings[known->second];
  const auto module = module_at(address);
  if (!module) return make_error("no module of the program is at address {:#x}", address);
  TRY(const VariableTable* const table, variables(*module));
  const std::uint64_t place = address - state_->modules[*module].base;
  const Variable* const variable = table->at(place);
  const StringId name = state_->strings.intern(
      variable != nullptr ? table->part_of(*variable, place, size) : std::string());
  state_->names.emplace(key, name);
  return state_->strings[name];
}

Result<std::string_view> NativeProgram::thread_local_name(std::size_t module, std::uint64_t offset,
                                                          std::uint64_t size) {
  const AccessKey key = {offset, size, module};
  const auto known = state_->names.find(key);
  if (known != state_->names.end()) return state_->strings[known->second];
  TRY(const VariableTable* const table, variables(module));
  const Variable* const variable = table->thread_local_at(offset);
  const StringId name = state_->strings.intern(
      variable != nullptr ? table->part_of(*variable, offset, size) : std::string());
  state_->names.emplace(key, name);
  return state_->strings[name];
}

LocalName NativeProgram::local_name(const StackFrame& frame, std::uint64_t pc,
                                    std::uint64_t address, std::uint64_t size) {
  const auto [table, base] = state_->locals_of(module_at(frame.entry));
  if (table == nullptr) return {};
  const StackFrame linked = {frame.entry - base, frame.stack_pointer, frame.frame_pointer};
  return table->at(linked, pc - base, address, size);
}

std::optional<std::uint64_t> NativeProgram::frame_end(const StackFrame& frame) {
  const auto [table, base] = state_->locals_of(module_at(frame.entry));
  if (table == nullptr) return std::nullopt;
  return table->end_of({frame.entry - base, frame.stack_pointer, frame.frame_pointer});
}

}  // namespace heddle
