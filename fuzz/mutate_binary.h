// Changes to a binary trace that its checksums do not give away.
//
// Nearly every blind change dies at a checksum. These ones take the file apart, change
// a payload, a header or the order of the blocks, and put it together with checksums
// and numbers that are right, as a hostile writer could; so they reach the decoders.
#pragma once

#include <string>
#include <string_view>

#include "fuzz/mutate.h"

namespace heddle::fuzz {

std::string mutate_binary(std::string_view bytes, std::string_view other, Random& random);

}  // namespace heddle::fuzz
