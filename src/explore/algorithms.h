// The algorithms by name. To add one: write its file, declare it in explorer.h, add its row.
#pragma once

#include <array>
#include <string_view>

#include "explore/explorer.h"

namespace heddle {

struct Algorithm {
  std::string_view name;
  std::string_view summary;
  decltype(&make_brute_explorer) make;
  bool exactly_once;  // visits no trace twice and begins nothing in vain
};

inline constexpr std::array kAlgorithms = {
    Algorithm{"brute", "every interleaving", make_brute_explorer, false},
    Algorithm{"sdpor", "source sets", make_sdpor_explorer, false},
    Algorithm{"odpor", "wakeup trees, optimal", make_odpor_explorer, true},
    Algorithm{"epor", "sections on wakeup trees, optimal", make_epor_explorer, true},
    Algorithm{"epor-sh", "short sections on wakeup trees, optimal", make_epor_sh_explorer, true},
};

constexpr const Algorithm* algorithm_named(std::string_view name) {
  for (const Algorithm& algorithm : kAlgorithms) {
    if (algorithm.name == name) return &algorithm;
  }
  return nullptr;
}

}  // namespace heddle
