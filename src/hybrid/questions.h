// What is asked of the runs: which two places in the source could race, and the pairs of accesses
// on which that can be tried.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hybrid/partner.h"

namespace heddle::hybrid {

// A pair of accesses of one of the runs.
struct Candidate {
  std::size_t run = 0;
  Pair pair;
};

struct Question {
  std::size_t run = 0;  // in which it came up first
  SystemObject location;
  std::vector<std::string> sites;  // one if there is no partner; else of the paused access first
  std::vector<Candidate> candidates = {};
  std::size_t left_out = 0;  // candidates beyond the first few
};

// Two sites, whichever comes first.
using SitePair = std::pair<std::string, std::string>;
SitePair site_pair(std::string a, std::string b);

// With all partners: every pair that could race; else a partner for each warning of Lockset.
// Warnings without a partner come last, unless another warning at their site has one.
std::vector<Question> questions_of(const std::deque<RunFacts>& runs, bool all_partners);

}  // namespace heddle::hybrid
