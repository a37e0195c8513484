#include "model/parser_base.h"

#include <fmt/format.h>

namespace heddle::model {
namespace {

bool starts_declaration(TokenKind kind) {
  return kind == TokenKind::key_thread || kind == TokenKind::key_param ||
         kind == TokenKind::key_const;
}

}  // namespace

bool TokenCursor::expect(TokenKind kind, std::string_view after) {
  if (in_trouble()) return false;
  if (take_if(kind)) return true;
  const std::string place = after.empty() ? "" : fmt::format(" {}", after);
  // What is missing at the end of a line is missing there, not on the next line.
  const bool next_line = source_.line(previous().range.end) < source_.line(token().range.begin);
  const std::uint32_t end = previous().range.end;
  complain(next_line && end > 0 ? SourceRange{end, end + 1} : token().range,
           fmt::format("expected {}{}, found {}", describe(kind), place,
                       at_end() ? "the end of the file" : fmt::format("'{}'", text(token()))));
  return false;
}

std::string_view TokenCursor::expect_name() {
  const Token found = token();
  return expect(TokenKind::name) ? text(found) : std::string_view();
}

void TokenCursor::complain(SourceRange range, std::string message) {
  if (!trouble_) diagnostics_.add(range, std::move(message));
  trouble_ = true;
}

void TokenCursor::recover() {
  trouble_ = false;
  while (!at_end() && !is(TokenKind::sign_close_brace) && !starts_declaration(token().kind)) {
    if (take().kind == TokenKind::sign_semicolon) return;
  }
}

}  // namespace heddle::model
