#include "compile/response_file.h"

#include <fstream>
#include <iterator>

namespace heddle {
namespace {

constexpr int kDeepest = 50;  // files that name each other; compilers give up as well
constexpr std::string_view kBlanks = " \t\n\r\f\v";

class Splitter {
 public:
  void take(char c) {
    if (escaped_) {
      escaped_ = false;
      add(c);
    } else if (c == '\\') {
      escaped_ = true;
    } else if (quote_ != 0) {
      quoted(c);
    } else {
      plain(c);
    }
  }
  std::vector<std::string> finish() {
    end_word();
    return std::move(words_);
  }

 private:
  void add(char c) {
    in_word_ = true;
    word_ += c;
  }
  void quoted(char c) {
    if (c == quote_) {
      quote_ = 0;
    } else {
      add(c);
    }
  }
  void plain(char c) {
    if (c == '\'' || c == '"') {
      quote_ = c;
      in_word_ = true;  // "" is a word, too
    } else if (kBlanks.find(c) != std::string_view::npos) {
      end_word();
    } else {
      add(c);
    }
  }
  void end_word() {
    if (in_word_) words_.push_back(std::move(word_));
    word_.clear();
    in_word_ = false;
  }

  std::vector<std::string> words_;
  std::string word_;
  bool in_word_ = false;
  bool escaped_ = false;
  char quote_ = 0;
};

Result<void> open_word(const std::string& word, std::size_t origin, int depth,
                       const FileReader& read, std::vector<Argument>& arguments) {
  const auto text = word.size() > 1 && word[0] == '@' ? read(word.substr(1)) : std::nullopt;
  if (!text) {
    arguments.push_back({word, origin});
    return {};
  }
  if (depth == kDeepest) return make_error("too many response files inside each other: {}", word);
  for (const std::string& inner : split_response_file(*text)) {
    TRY_VOID(open_word(inner, origin, depth + 1, read, arguments));
  }
  return {};
}

}  // namespace

std::optional<std::string> read_whole_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string text(std::istreambuf_iterator<char>(file), {});
  return file.bad() ? std::nullopt : std::optional(std::move(text));
}

std::vector<std::string> split_response_file(std::string_view text) {
  Splitter splitter;
  for (const char c : text) splitter.take(c);
  return splitter.finish();
}

Result<std::vector<Argument>> open_response_files(std::span<const std::string> words,
                                                  const FileReader& read) {
  std::vector<Argument> arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    TRY_VOID(open_word(words[i], i, 0, read, arguments));
  }
  return arguments;
}

}  // namespace heddle
