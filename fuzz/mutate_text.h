// Changes to a file of lines that leave most of its lines well-formed.
//
// A blind change to a line of text nearly always makes it one that the parser refuses
// at once. These ones move whole lines and change numbers, so they reach what comes
// behind the parser: numbers out of range, definitions twice, late or never.
#pragma once

#include <string>
#include <string_view>

#include "fuzz/mutate.h"

namespace heddle::fuzz {

std::string mutate_text(std::string_view bytes, std::string_view other, Random& random);

}  // namespace heddle::fuzz
