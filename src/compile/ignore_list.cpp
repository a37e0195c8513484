#include "compile/ignore_list.h"

namespace heddle {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// Whether "[address|thread]" speaks of the thread sanitizer.
bool names_thread(std::string_view section) {
  std::string_view names = section.substr(1, section.size() - 2);
  while (!names.empty()) {
    const std::size_t end = std::min(names.find('|'), names.size());
    if (glob_matches(trimmed(names.substr(0, end)), "thread")) return true;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return false;
}

class ListReader {
 public:
  explicit ListReader(const std::string& name) : name_(name) {}

  Result<void> take(std::string_view line) {
    ++number_;
    line = trimmed(line.substr(0, line.find('#')));
    if (line.starts_with('[') && line.ends_with(']')) {
      for_thread_ = names_thread(line);
    } else if (!line.empty() && for_thread_) {
      return take_entry(line);
    }
    return {};
  }
  std::vector<std::string> globs;

 private:
  Result<void> take_entry(std::string_view entry) {
    const bool whole_file = entry.starts_with("src:") || entry.starts_with("mainfile:");
    if (!whole_file) {
      return make_error(
          "{}:{}: '{}' needs Clang and an ignore list: here whole files can be named only "
          "(src:GLOB); for one function write __attribute__((no_sanitize(\"thread\"))) at it",
          name_, number_, entry);
    }
    globs.emplace_back(trimmed(entry.substr(entry.find(':') + 1)));
    return {};
  }

  const std::string& name_;
  int number_ = 0;
  bool for_thread_ = true;
};

}  // namespace

Result<std::vector<std::string>> whole_file_globs(std::string_view text, const std::string& name) {
  ListReader reader(name);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    TRY_VOID(reader.take(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::move(reader.globs);
}

bool glob_matches(std::string_view glob, std::string_view text) {
  std::size_t g = 0, t = 0;
  std::size_t after_star = std::string::npos, retry = 0;  // where to go on if what follows a '*' fails
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      after_star = ++g;
      retry = t;
    } else if (g < glob.size() && glob[g] == text[t]) {
      ++g, ++t;
    } else if (after_star != std::string::npos) {
      g = after_star;
      t = ++retry;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

}  // namespace heddle
