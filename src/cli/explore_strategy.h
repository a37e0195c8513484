// How `heddle explore` searches: by an algorithm that visits every trace, within a bound of
// preemptions, or at random. The options, what they make together, and the words for what
// such a search leaves out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/result.h"
#include "cli/command.h"
#include "explore/explorer.h"

namespace heddle {

class Strategy {
 public:
  virtual ~Strategy() = default;

  virtual std::string_view name() const = 0;
  // What it counts: traces, or executions where several may be of one trace.
  virtual std::string_view unit() const { return "execution"; }
  // Whether a thread is left where it goes round in vain; another execution takes it further.
  virtual bool stops_spinning() const { return true; }
  virtual std::unique_ptr<Explorer> make(System& system, ExplorationListener& listener,
                                         const ExploreOptions& options) const = 0;

  // What kept a search that came to its end from seeing everything, such as
  // "bounded by --max-preemptions 2"; empty if nothing did.
  virtual std::string limit(const ExploreCounters& counters) const = 0;
  // A line on what the search promises instead; empty if there is nothing to say.
  virtual std::string promise(const ExploreCounters&, std::size_t /*threads*/) const { return {}; }
  // Adds what other searches do not have.
  virtual void add_to(nlohmann::ordered_json& json, const ExploreCounters& counters,
                      std::size_t threads) const = 0;
};

struct StrategyOptions {
  std::optional<std::string> algorithm;
  std::optional<std::uint64_t> random;
  std::optional<std::uint64_t> seed;
  std::optional<std::uint32_t> pct;
  std::optional<std::uint32_t> max_preemptions;

  void declare(CLI::App& app);
  // An error is a matter of usage.
  Result<std::unique_ptr<Strategy>> choose() const;

 private:
  Result<void> check() const;
};

}  // namespace heddle
