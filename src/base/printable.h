// Text from an input, made fit for one line of an error message.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

// The text in quotes, cut to at most 60 bytes, with control characters and broken UTF-8
// as \xNN, so that a binary file by mistake does not upset the terminal.
std::string printable(std::string_view text);

// The number of bytes of the UTF-8 character at the front of `text`; 0 when what stands
// there is not well-formed.
std::size_t utf8_length(std::string_view text);
bool is_utf8(std::string_view text);

}  // namespace heddle
