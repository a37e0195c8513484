#include "record/sites.h"

#include <filesystem>

namespace heddle {
namespace {

std::string file_name(const Module& module) {
  return std::filesystem::path(module.path).filename().string();
}

bool is_runtime(const Module* module) {
  return module != nullptr && module->path.ends_with("/libheddle_rt.so");
}

}  // namespace

void Sites::define_stack(std::uint32_t node, std::uint32_t caller, std::uint64_t pc) {
  if (calls_.size() <= node) calls_.resize(node + 1);
  calls_[node] = {caller, false, pc, SiteId::none()};
}

std::uint64_t Sites::return_address(std::uint32_t outer, std::uint32_t inner,
                                    std::uint64_t pc) const {
  constexpr int kDeepest = 1000;
  for (int depth = 0; depth < kDeepest && inner != outer; ++depth) {
    if (inner == 0 || inner >= calls_.size()) return 0;
    pc = calls_[inner].pc;
    inner = calls_[inner].caller;
  }
  return inner == outer ? pc : 0;
}

SiteId Sites::find(std::uint32_t stack, std::uint64_t pc) {
  const auto found = sites_.find({stack, pc});
  if (found != sites_.end()) return found->second;
  const std::uint64_t address = pc - 1;  // inside the call, not behind it
  const SiteId id = add_place(address, call_site(stack));
  if (id.valid() && tables_->sites[id].line == 0) names_->note_missing_lines(address);
  sites_.emplace(std::pair(stack, pc), id);
  return id;
}

// From the outermost call that is not known yet to this one: stacks can be too deep for
// recursion.
SiteId Sites::call_site(std::uint32_t stack) {
  path_.clear();
  std::uint32_t node = stack;
  for (; node != 0 && node < calls_.size() && !calls_[node].known; node = calls_[node].caller) {
    path_.push_back(node);
  }
  SiteId site = node != 0 && node < calls_.size() ? calls_[node].site : SiteId::none();
  for (; !path_.empty(); path_.pop_back()) {
    Call& call = calls_[path_.back()];
    call.site = site = add_place(call.pc - 1, site);
    call.known = true;
  }
  return site;
}

SiteId Sites::add_place(std::uint64_t address, SiteId caller) {
  if (is_runtime(space_->module_of(address))) return caller;
  const auto frames = names_->frames_at(address);
  if (frames.empty()) return add_unknown_place(address, caller);
  SiteId site = caller;
  for (std::size_t i = frames.size(); i-- > 0;) {
    const SourceFrame& frame = frames[i];
    const std::string file = names_->short_name(frame.file);
    site = intern(
        {file.empty() ? StringId::none() : tables_->strings.intern(file), frame.line, frame.column,
         frame.function.empty() ? StringId::none() : tables_->strings.intern(frame.function),
         i == 0 ? names_->linked_address(address) : 0, site});
  }
  return site;
}

// Code without debug information is named by its module. An address in the program itself is
// as the linker made it, so that other tools know it.
SiteId Sites::add_unknown_place(std::uint64_t address, SiteId caller) {
  Site site;
  site.caller = caller;
  site.address = address;
  if (const Module* module = space_->module_of(address)) {
    site.address = names_->linked_address(address);
    if (module != space_->modules().data()) {
      site.file = tables_->strings.intern(file_name(*module));
    }
  }
  return intern(site);
}

SiteId Sites::intern(const Site& site) {
  const Key key(site.file, site.line, site.column, site.function, site.address, site.caller);
  const auto [entry, is_new] = stored_.try_emplace(key);
  if (is_new) entry->second = tables_->sites.add(site);
  return entry->second;
}

}  // namespace heddle
