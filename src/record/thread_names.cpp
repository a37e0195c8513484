#include "record/thread_names.h"

namespace heddle {
namespace {

constexpr std::uint8_t kTries = 100;  // events; a thread may have no function with a name

// The function of the outermost caller outside of libraries.
StringId thread_function(const Tables& tables, SiteId site) {
  StringId function = StringId::none();
  for (; tables.sites.contains(site); site = tables.sites[site].caller) {
    const Site& place = tables.sites[site];
    if (place.function.valid() && !tables.in_library(site)) function = place.function;
  }
  return function;
}

// Where the parameters that end the text begin.
std::size_t parameters_of(std::string_view text) {
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    depth += text[i] == ')' ? 1 : text[i] == '(' ? -1 : 0;
    if (depth == 0) return text[i] == '(' ? i : text.size();
  }
  return text.size();
}

}  // namespace

std::string name_without_parameters(std::string_view function) {
  if (function.ends_with(" const")) function.remove_suffix(6);
  std::string_view name = function.substr(0, parameters_of(function));
  constexpr std::string_view kCall = "::operator()";
  if (name.ends_with(kCall)) name.remove_suffix(kCall.size());
  return std::string(name);
}

void ThreadNames::look_at(const Tables& tables, const EventRecord& event) {
  std::uint8_t& left = tries_left_[event.thread.value()];
  if (left == 0 || !event.site.valid()) return;
  const StringId function = thread_function(tables, event.site);
  if (function.valid()) {
    functions_[event.thread] = name_without_parameters(tables.strings[function]);
    left = 1;
  }
  if (--left == 0) --undecided_;
}

void ThreadNames::look_at(const Tables& tables, std::span<const EventRecord> events) {
  undecided_ += tables.threads.size() - tries_left_.size();
  tries_left_.resize(tables.threads.size(), kTries);
  for (const EventRecord& event : events) {
    if (undecided_ == 0) return;
    look_at(tables, event);
  }
}

std::map<ThreadId, std::string> ThreadNames::names(
    const std::map<ThreadId, std::string>& given) const {
  std::map<ThreadId, std::string> names = given;
  names.insert(functions_.begin(), functions_.end());
  names.erase(ThreadId(0));  // it is called main already
  if (const auto found = given.find(ThreadId(0)); found != given.end()) names.insert(*found);
  return names;
}

}  // namespace heddle
