#include "hybrid/questions.h"

#include <set>

namespace heddle::hybrid {
namespace {

// So many pairs of accesses are tried for two sites. More of them seldom tell more.
constexpr std::size_t kMostCandidates = 8;

class Collector {
 public:
  void add_pairs(std::size_t run, const RunFacts& facts) {
    for (const Pair& pair : all_pairs(facts, kMostCandidates)) add(run, facts, pair);
  }

  void add_warnings(std::size_t run, const RunFacts& facts) {
    for (const Warning& warning : lockset_warnings(facts)) {
      std::optional<Pair> pair = partner_before(facts, warning);
      if (!pair) pair = partner_behind(facts, warning);
      if (pair) {
        add(run, facts, *pair);
      } else {
        alone_.try_emplace(facts.run().site_of(warning.event),
                           Question{run, warning.location, {facts.run().site_of(warning.event)}});
      }
    }
  }

  std::vector<Question> take() {
    for (auto& [site, question] : alone_) {
      if (!with_partner_.contains(site)) questions_.push_back(std::move(question));
    }
    return std::move(questions_);
  }

 private:
  void add(std::size_t run, const RunFacts& facts, const Pair& pair) {
    const std::string& first = facts.run().site_of(pair.first);
    const std::string& second = facts.run().site_of(pair.second);
    const auto [place, is_new] = numbers_.emplace(site_pair(first, second), questions_.size());
    if (is_new) questions_.push_back({run, pair.location, {first, second}});
    with_partner_.insert({first, second});
    Question& question = questions_[place->second];
    if (question.candidates.size() < kMostCandidates) {
      question.candidates.push_back({run, pair});
    } else {
      ++question.left_out;
    }
  }

  std::vector<Question> questions_;
  std::map<SitePair, std::size_t> numbers_;
  std::map<std::string, Question> alone_;  // by site: without a partner
  std::set<std::string> with_partner_;
};

}  // namespace

SitePair site_pair(std::string a, std::string b) {
  if (b < a) std::swap(a, b);
  return {std::move(a), std::move(b)};
}

std::vector<Question> questions_of(const std::deque<RunFacts>& runs, bool all_partners) {
  Collector collector;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    all_partners ? collector.add_pairs(run, runs[run]) : collector.add_warnings(run, runs[run]);
  }
  return collector.take();
}

}  // namespace heddle::hybrid
