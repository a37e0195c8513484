// Which options of GCC and Clang take the next word as their value.
//
// Only with this table can the words that are left be told to be input files.
#pragma once

#include <string_view>

namespace heddle {

bool takes_next_word(std::string_view option);

}  // namespace heddle
