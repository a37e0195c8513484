// What all parts of the parser share: the tokens, the place in them, and complaints.
#pragma once

#include <string>
#include <vector>

#include "model/syntax.h"
#include "model/token.h"

namespace heddle::model {

class TokenCursor {
 public:
  TokenCursor(const SourceText& source, Diagnostics& diagnostics)
      : source_(source), diagnostics_(diagnostics), tokens_(tokenize(source, diagnostics)) {}

  const Token& token() const { return tokens_[at_]; }
  const Token& previous() const { return tokens_[at_ == 0 ? 0 : at_ - 1]; }
  bool is(TokenKind kind) const { return token().kind == kind; }
  bool at_end() const { return is(TokenKind::end); }

  // Never moves past the end.
  Token take() {
    const Token taken = token();
    if (!at_end()) ++at_;
    return taken;
  }
  bool take_if(TokenKind kind) {
    if (!is(kind)) return false;
    take();
    return true;
  }
  // Takes a token of that kind or complains. `after` says where it should stand.
  bool expect(TokenKind kind, std::string_view after = "");
  std::string_view expect_name();
  std::string_view text(const Token& token) const { return source_.at(token.range); }

  // Complains once per stretch of text that cannot be understood.
  void complain(std::string message) { complain(token().range, std::move(message)); }
  void complain(SourceRange range, std::string message);
  bool in_trouble() const { return trouble_; }
  // Goes on behind the next ';', or before the next '}' or block.
  void recover();

  SourceRange from(std::uint32_t begin) const { return {begin, previous().range.end}; }

 private:
  const SourceText& source_;
  Diagnostics& diagnostics_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  bool trouble_ = false;
};

}  // namespace heddle::model
