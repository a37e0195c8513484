// "Did you mean ...?": the candidate nearest to a mistyped word.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace heddle {

// Edits (insert, delete, replace, swap of neighbours) that turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The candidate with the fewest edits, if that is few enough to be a plausible slip
// (a third of the word's length, at least one edit, a prefix always counts).
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace heddle
