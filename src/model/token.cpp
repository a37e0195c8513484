#include "model/token.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

namespace heddle::model {
namespace {

constexpr auto kFirstKeyword = static_cast<std::size_t>(TokenKind::key_param);
constexpr auto kFirstSign = static_cast<std::size_t>(TokenKind::sign_open);
constexpr auto kKindCount = static_cast<std::size_t>(TokenKind::sign_modulo) + 1;

constexpr std::array<std::string_view, kFirstSign - kFirstKeyword> kKeywords = {
    "param",  "const",     "int",    "bool",      "true",       "false",       "atomic",
    "lock",   "recursive", "rwlock", "condition", "semaphore",  "thread",      "forked",
    "if",     "else",      "while",  "for",       "break",      "continue",    "skip",
    "assert", "assume",    "unlock", "trylock",   "read_lock",  "read_unlock", "try_read_lock",
    "wait",   "trywait",   "post",   "notify",    "notify_all", "fork",        "join",
    "cas",    "choose",    "or"};
// A sign that begins with another one comes before it.
constexpr std::array<std::string_view, kKindCount - kFirstSign> kSigns = {
    "(",  ")",  "{",  "}",  "[",  "]",  ";",  ",",  "..", ":",  "?",
    "++", "--", "+=", "-=", "*=", "/=", "%=", "==", "!=", "<=", ">=",
    "&&", "||", "=",  "<",  ">",  "!",  "+",  "-",  "*",  "/",  "%"};

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool continues_name(char c) { return starts_name(c) || is_digit(c); }

template <std::size_t size>
constexpr TokenKind kind_at(const std::array<std::string_view, size>&, std::size_t first,
                            std::size_t index) {
  return static_cast<TokenKind>(first + index);
}

class Tokenizer {
 public:
  Tokenizer(const SourceText& source, Diagnostics& diagnostics)
      : text_(source.text()), diagnostics_(diagnostics) {}

  std::vector<Token> run() {
    while (skip_blank(), at_ < text_.size()) next();
    add(TokenKind::end, 0);
    return std::move(tokens_);
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }
  SourceRange range(std::size_t length) const {
    return {static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(at_ + length)};
  }

  void add(TokenKind kind, std::size_t length, std::int64_t value = 0) {
    tokens_.push_back({kind, range(length), value});
    at_ += length;
  }

  void skip_blank() {
    while (at_ < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
        ++at_;
      } else if (rest().starts_with("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (rest().starts_with("/*")) {
        skip_long_comment();
      } else {
        return;
      }
    }
  }

  void skip_long_comment() {
    const std::size_t end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos) diagnostics_.add(range(2), "this comment has no end");
    at_ = end == std::string_view::npos ? text_.size() : end + 2;
  }

  void next() {
    if (starts_name(text_[at_])) return add_word();
    if (is_digit(text_[at_])) return add_number();
    for (std::size_t i = 0; i < kSigns.size(); ++i) {
      if (rest().starts_with(kSigns[i]))
        return add(kind_at(kSigns, kFirstSign, i), kSigns[i].size());
    }
    refuse();
  }

  std::size_t word_length() const {
    std::size_t length = 0;
    while (at_ + length < text_.size() && continues_name(text_[at_ + length])) ++length;
    return length;
  }

  void add_word() {
    const std::size_t length = word_length();
    const auto* const keyword =
        std::find(kKeywords.begin(), kKeywords.end(), rest().substr(0, length));
    const auto index = static_cast<std::size_t>(keyword - kKeywords.begin());
    const bool found = keyword != kKeywords.end();
    add(found ? kind_at(kKeywords, kFirstKeyword, index) : TokenKind::name, length);
  }

  void add_number() {
    const std::size_t length = word_length();
    const char* const begin = text_.data() + at_;
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(begin, begin + length, value);
    if (code == std::errc::result_out_of_range) {
      diagnostics_.add(range(length), "this number does not fit into 64 bits");
    } else if (end != begin + length) {
      diagnostics_.add(range(length), "a number is written in decimal digits alone");
    }
    add(TokenKind::number, length, value);
  }

  // Takes the bytes of one UTF-8 character together.
  void refuse() {
    std::size_t length = 1;
    while (at_ + length < text_.size() && (text_[at_ + length] & 0xc0) == 0x80) ++length;
    diagnostics_.add(range(length), "this character has no meaning here");
    at_ += length;
  }

  std::string_view text_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(const SourceText& source, Diagnostics& diagnostics) {
  return Tokenizer(source, diagnostics).run();
}

std::string describe(TokenKind kind) {
  const auto index = static_cast<std::size_t>(kind);
  if (index >= kFirstSign) return fmt::format("'{}'", kSigns[index - kFirstSign]);
  if (index >= kFirstKeyword) return fmt::format("'{}'", kKeywords[index - kFirstKeyword]);
  return kind == TokenKind::name ? "a name" : kind == TokenKind::number ? "a number" : "the end";
}

}  // namespace heddle::model
