// Which pairs of accesses are worth asking whether they race: the cheap, sound filter in front of
// the engine.
//
// The accesses of a memory cell are put into classes (access_classes.h). Two classes conflict or
// do not, and are kept apart by a common lock or are not, whichever of their events one takes; so
// the pairs that no lock keeps apart are found class by class. Where fork and join order all events
// of two classes there is nothing to ask either. Of the rest all are listed, or some of those that
// are neighbours in the trace, which have the best chances: drawn at random from all over it,
// since a race may need what happens once in a run; and some of those that happens-before does not
// order, which race for sure.
//
// Cost: linear in the accesses, and for each cell the square of its classes.
#pragma once

#include <cstdint>
#include <vector>

#include "predict/places.h"
#include "trace/enumerate.h"

namespace heddle::predict {

struct RaceCandidate {
  EventPair pair;
  PlaceId first_place;
  PlaceId second_place;
  bool unordered = false;  // in the run itself, and for that reason listed first
};

struct RaceCandidates {
  std::uint64_t conflicts = 0;  // pairs of conflicting accesses
  std::uint64_t guarded = 0;    // of these, kept apart by a common lock
  std::uint64_t joined = 0;     // of the others, kept apart by fork and join
  std::uint64_t shared_cells = 0;
  std::vector<RaceCandidate> pairs;
  std::uint64_t left_out = 0;  // neither kept apart nor in `pairs`
};

// At most `all_up_to` pairs are listed one and all; if there are more, about `per_places` for
// each pair of places.
RaceCandidates find_race_candidates(const Facts& facts, const Places& places,
                                    std::uint64_t all_up_to, std::uint64_t per_places);

}  // namespace heddle::predict
