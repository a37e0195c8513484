// Short words for tests of the hybrid search.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "hybrid/hunt.h"
#include "hybrid/questions.h"
#include "tests/model/support.h"

namespace heddle::hybrid {

inline model::Model access_model(const std::string& text) {
  return model_of(text, {.granularity = kAccess});
}

inline model::Model example_model(const std::string& name,
                                  std::vector<std::pair<std::string, std::int64_t>> values = {}) {
  auto made = model::load(std::string(HEDDLE_MODELS) + "/hybrid/" + name,
                          {.definitions = std::move(values), .granularity = kAccess});
  EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().message);
  return std::move(made).value();
}

// A run whose first steps are by these threads, "0011": then each goes on as long as it can.
inline ObservedRun run_of(const model::Model& model, const std::string& threads = "") {
  RunOptions options;
  for (const char digit : threads) {
    options.beginning.emplace_back(static_cast<std::uint32_t>(digit - '0'));
  }
  model::Interpreter system(model);
  return observe(system, options);
}

// "7:3" of "queries.hm:7:3": the line and column of a site.
inline std::string place_of(const std::string& site) { return site.substr(site.find(':') + 1); }
inline std::string line_of(const std::string& site) {
  const std::string place = place_of(site);
  return place.substr(0, place.find(':'));
}

// The sites of accesses, by which other threads can race with the next operation of the paused one
// from where the system stands, by brute force.
std::set<std::string> races_by_brute_force(model::Interpreter& system, ThreadId paused);

// The pairs of sites that race in any state behind the one where the system stands, by brute force.
std::set<SitePair> all_races_by_brute_force(model::Interpreter& system);

}  // namespace heddle::hybrid
