#include "compile/invocation.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compile/input_kind.h"
#include "compile/option_values.h"

namespace heddle {
namespace {

constexpr std::array<std::string_view, 9> kNotWithThread = {
    "address", "hwaddress", "kernel-address", "kernel-hwaddress", "memory", "kernel-memory",
    "leak",    "dataflow",  "memtag"};
constexpr std::array<std::string_view, 10> kInformation = {
    "--version", "--help",       "-help",      "--target-help", "-dumpversion",
    "-cc1",      "-dumpmachine", "-dumpspecs", "-cc1as",        "-dumpfullversion"};

template <std::size_t N>
bool one_of(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string_view> split_at_commas(std::string_view list) {
  std::vector<std::string_view> names;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    names.push_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return names;
}

// "-g" and its relatives that choose a level or a format; -gz, -gsplit-dwarf and the like
// only say how.
bool is_debug_option(std::string_view word) {
  if (!word.starts_with("-g")) return false;
  const std::string_view rest = word.substr(2);
  if (rest.empty() || (rest.size() == 1 && rest[0] >= '0' && rest[0] <= '9')) return true;
  for (const std::string_view start : {"gdb", "dwarf", "line-", "mlt", "stabs", "ctf", "btf"}) {
    if (rest.starts_with(start)) return true;
  }
  return false;
}

bool is_information(std::string_view word) {
  return one_of(kInformation, word) || word.starts_with("-print-") ||
         word.starts_with("--print-") || word.starts_with("--help=");
}

// Reads the arguments one by one; what an option means for Heddle is one line below.
class Reader {
 public:
  explicit Reader(Invocation& invocation) : invocation_(invocation) {}

  void read_all() {
    const std::vector<Argument>& arguments = invocation_.arguments;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const std::string& word = arguments[i].text;
      const bool has_value = takes_next_word(word) && i + 1 < arguments.size();
      if (has_value) {
        read_pair(word, arguments[++i].text);
      } else {
        read_word(word);
      }
    }
    invocation_.stage = stage();
  }

 private:
  void read_pair(std::string_view option, const std::string& value) {
    if (option == "-x" || option == "--language") language_ = value;
    if (option == "-Xlinker") read_linker_option(value);
  }

  void read_word(const std::string& word) {
    if (word == "-" || !word.starts_with('-')) {
      invocation_.inputs.push_back({word, kind_by_language(language_, word)});
    } else if (word.starts_with("-x")) {
      language_ = word.substr(2);
    } else if (word.starts_with("--language=")) {
      language_ = word.substr(word.find('=') + 1);
    } else if (word.starts_with("-Wl,")) {
      for (const std::string_view option : split_at_commas(word)) read_linker_option(option);
    } else {
      read_option(word);
    }
  }

  void read_option(std::string_view word) {
    read_stage_option(word);
    if (word == "-shared" || word == "--shared") invocation_.shared = true;
    if (word == "-static" || word == "--static" || word == "-static-pie") {
      invocation_.fully_static = true;
    }
    if (is_debug_option(word)) invocation_.has_debug_option = true;
    if (word == "-flto" || word.starts_with("-flto=")) invocation_.link_time_optimisation = true;
    if (word == "-fno-lto") invocation_.link_time_optimisation = false;
    if (word.starts_with("-fsanitize=")) read_sanitizers(word.substr(word.find('=') + 1));
    if (word.starts_with("-fno-sanitize=")) read_refused(word.substr(word.find('=') + 1));
    if (is_information(word)) information_ = true;
  }

  void read_stage_option(std::string_view word) {
    if (word == "-E" || word == "-M" || word == "-MM" || word == "--preprocess") {
      preprocesses_ = true;
    } else if (word == "-c" || word == "-S" || word == "-fsyntax-only" || word == "--compile" ||
               word == "--assemble" || word == "--precompile" || word == "-emit-ast") {
      stops_before_link_ = true;
    } else if (word == "-r") {
      relocatable_ = true;
    }
  }

  void read_linker_option(std::string_view option) {
    if (option == "-r" || option == "-i" || option == "--relocatable") relocatable_ = true;
    if (option == "-static") invocation_.fully_static = true;
  }

  void read_sanitizers(std::string_view list) {
    for (const std::string_view name : split_at_commas(list)) {
      if (name == "thread") invocation_.thread_refused = false;
      if (one_of(kNotWithThread, name)) invocation_.other_sanitizer = name;
    }
  }

  void read_refused(std::string_view list) {
    for (const std::string_view name : split_at_commas(list)) {
      if (name == "thread" || name == "all") invocation_.thread_refused = true;
      if (name == invocation_.other_sanitizer || name == "all") {
        invocation_.other_sanitizer.clear();
      }
    }
  }

  Stage stage() const {
    if (information_ || invocation_.inputs.empty()) return Stage::information;
    if (preprocesses_) return Stage::preprocess;
    if (stops_before_link_ || has_header()) return Stage::compile;
    return relocatable_ ? Stage::relocatable : Stage::link;
  }
  bool has_header() const {
    return std::any_of(invocation_.inputs.begin(), invocation_.inputs.end(),
                       [](const InputFile& file) { return file.kind == InputKind::header; });
  }

  Invocation& invocation_;
  std::string language_;
  bool information_ = false;
  bool preprocesses_ = false;
  bool stops_before_link_ = false;
  bool relocatable_ = false;
};

// Takes one of Heddle's own options.
Result<void> take_own_option(const std::string& word, Invocation& invocation) {
  const std::size_t equals = std::min(word.find('='), word.size());
  const std::string name = word.substr(0, equals);
  const std::string value = word.substr(std::min(equals + 1, word.size()));
  if (name != "--heddle-compiler" && name != "--heddle-runtime" && name != "--heddle-ignore" &&
      name != "--heddle-only") {
    return make_error(
        "unknown option '{}'; Heddle's own are --heddle-compiler=NAME, --heddle-ignore=FILE, "
        "--heddle-only=FILE and --heddle-runtime=FILE",
        name);
  }
  if (value.empty()) return make_error("{} needs a value: {}=...", name, name);
  if (name == "--heddle-compiler") invocation.compiler = value;
  if (name == "--heddle-runtime") invocation.runtime = value;
  if (name == "--heddle-ignore") invocation.ignore_lists.push_back(value);
  if (name == "--heddle-only") invocation.only_lists.push_back(value);
  return {};
}

constexpr std::string_view kOwnOption = "--heddle-";

bool has_atomic_functions(std::span<const InputFile> inputs, const FileReader& read) {
  return std::any_of(inputs.begin(), inputs.end(), [&](const InputFile& file) {
    if (file.kind != InputKind::code || file.path == "-") return false;
    const auto text = read(file.path);
    return text && text->find("__VERIFIER_atomic_") != std::string::npos;
  });
}

}  // namespace

bool Invocation::compiles_code() const {
  return stage != Stage::information &&
         std::any_of(inputs.begin(), inputs.end(), [](const InputFile& file) {
           return file.kind == InputKind::code || file.kind == InputKind::header;
         });
}

Result<Invocation> parse_invocation(std::span<const std::string> words, const FileReader& read) {
  Invocation invocation;
  for (const std::string& word : words) {
    if (word.starts_with(kOwnOption)) {
      TRY_VOID(take_own_option(word, invocation));
    } else {
      invocation.words.push_back(word);
    }
  }
  TRY(invocation.arguments, open_response_files(invocation.words, read));
  for (const Argument& argument : invocation.arguments) {
    if (argument.text.starts_with(kOwnOption)) {
      return make_error("'{}' stands in a response file; give it on the command line itself",
                        argument.text);
    }
  }
  Reader(invocation).read_all();
  invocation.has_atomic_functions = has_atomic_functions(invocation.inputs, read);
  return invocation;
}

std::optional<std::string> without_thread_sanitizer(const std::string& word) {
  if (!word.starts_with("-fsanitize=") && !word.starts_with("-fno-sanitize=")) return word;
  const std::size_t equals = word.find('=');
  std::vector<std::string_view> names = split_at_commas(std::string_view(word).substr(equals + 1));
  std::erase(names, "thread");
  if (names.empty()) return std::nullopt;
  return fmt::format("{}={}", word.substr(0, equals), fmt::join(names, ","));
}

}  // namespace heddle
