// Chooses the shapes of bench/ndet/shapes.csv: of a grid of them, for each row of Table A1 the one
// whose trace has shares of witnesses (cyclic, without choice, with choice) nearest to the
// published ones.
//
//   build/release/bench/ndet/fit [NAME...] > bench/ndet/shapes.csv
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "bench/ndet/profile.h"
#include "predict/paper.h"

namespace heddle::ndet {
namespace {

constexpr double kNearEnough = 0.02;  // the three shares together

std::vector<Shape> grid() {
  std::vector<Shape> shapes;
  for (std::uint32_t outside : {100u, 97u, 90u, 60u, 15u}) {
    for (std::uint32_t own : {100u, 0u}) {
      for (std::uint32_t home : {0u, 30u, 60u, 80u}) {
        for (std::uint32_t switches : {15u, 3u, 1u}) {
          shapes.push_back({outside, own, home, switches});
        }
      }
    }
  }
  return shapes;
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

double distance(const Profile& published, const predict::PaperResult& ours) {
  const auto difference = [&](std::uint64_t theirs, std::uint64_t mine) {
    return std::abs(share(theirs, published.possible) - share(mine, ours.possible));
  };
  return difference(published.cyclic, ours.cyclic) +
         difference(published.no_choice, ours.no_choice) +
         difference(published.with_choice, ours.with_choice);
}

double distance_with(Profile profile, const Shape& shape) {
  profile.shape = shape;
  const Trace trace = make_trace(profile);
  const Derived derived(trace);
  const order::Facts facts(trace, derived);
  return distance(profile, predict::run_paper_mode(facts, {}));
}

void fit(const Profile& profile) {
  double best = 10;
  Shape chosen;
  for (const Shape& shape : grid()) {
    const double now = distance_with(profile, shape);
    if (now >= best) continue;
    best = now;
    chosen = shape;
    if (best < kNearEnough) break;
  }
  fmt::print("{},{},{},{},{}\n", profile.name, chosen.outside, chosen.own, chosen.home,
             chosen.switches);
  std::fflush(stdout);
  fmt::print(stderr, "{}: {:.3f}\n", profile.name, best);
}

int main(int count, char** words) {
  const auto profiles = read_profiles(HEDDLE_NDET_PAPER);
  if (!profiles.ok()) {
    fmt::print(stderr, "fit: {}\n", profiles.error().message);
    return 65;
  }
  fmt::print("name,outside,own,home,switches\n");
  for (const Profile& profile : *profiles) {
    const bool wanted = count < 2 || std::any_of(words + 1, words + count, [&](const char* word) {
                          return profile.name == word;
                        });
    if (wanted) fit(profile);
  }
  return 0;
}

}  // namespace
}  // namespace heddle::ndet

int main(int count, char** words) { return heddle::ndet::main(count, words); }
