// The words of a model file.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/source.h"

namespace heddle::model {

enum class TokenKind : std::uint8_t {
  end,
  name,
  number,
  // Keywords, in the order of kKeywords.
  key_param,
  key_const,
  key_int,
  key_bool,
  key_true,
  key_false,
  key_atomic,
  key_lock,
  key_recursive,
  key_rwlock,
  key_condition,
  key_semaphore,
  key_thread,
  key_forked,
  key_if,
  key_else,
  key_while,
  key_for,
  key_break,
  key_continue,
  key_skip,
  key_assert,
  key_assume,
  key_unlock,
  key_trylock,
  key_read_lock,
  key_read_unlock,
  key_try_read_lock,
  key_wait,
  key_trywait,
  key_post,
  key_notify,
  key_notify_all,
  key_fork,
  key_join,
  key_cas,
  key_choose,
  key_or,
  // Signs, in the order of kSigns.
  sign_open,
  sign_close,
  sign_open_brace,
  sign_close_brace,
  sign_open_bracket,
  sign_close_bracket,
  sign_semicolon,
  sign_comma,
  sign_range,
  sign_colon,
  sign_question,
  sign_plus_plus,
  sign_minus_minus,
  sign_plus_assign,
  sign_minus_assign,
  sign_times_assign,
  sign_divide_assign,
  sign_modulo_assign,
  sign_equal,
  sign_not_equal,
  sign_less_equal,
  sign_greater_equal,
  sign_and,
  sign_or,
  sign_assign,
  sign_less,
  sign_greater,
  sign_not,
  sign_plus,
  sign_minus,
  sign_times,
  sign_divide,
  sign_modulo,
};

struct Token {
  TokenKind kind = TokenKind::end;
  SourceRange range;
  std::int64_t value = 0;  // of a number
};

// The tokens of the text, the last one an `end`. What is no token is reported and left out.
std::vector<Token> tokenize(const SourceText& source, Diagnostics& diagnostics);

// How a token of that kind is called in a message: "';'", "a name".
std::string describe(TokenKind kind);

}  // namespace heddle::model
