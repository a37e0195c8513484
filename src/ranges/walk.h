// A part of a thread on intervals: from one point, point by point, to the points where walks
// halt. Where ways meet in between, what comes is joined.
//
// A walk also knows which shared words its thread has written on its way, on each way by
// itself: what is written on one branch is not written on the other.
#pragma once

#include <vector>

#include "ranges/record.h"
#include "ranges/word_set.h"

namespace heddle::ranges {

// What comes to a point.
struct Arrival {
  Environment environment;
  WordSet wrote;  // by the thread itself, from its beginning

  bool within(const Arrival& other) const {
    return wrote.within(other.wrote) && environment.within(other.environment);
  }
  void join(const Arrival& other) {
    environment.join(other.environment);
    wrote.join(other.wrote);
  }
};

class Walk {
 public:
  struct End {
    PointId point{};
    Arrival arrival;
  };
  using Ends = std::vector<End>;

  Walk(const Flow& flow, Table<PointId, bool> halts);

  // The record, if there is one, is told of every point and every write.
  void run(PointId from, const Environment& environment, const WordSet& wrote, Record* record,
           Ends& ends);

 private:
  void follow(PointId point, const Environment& environment, const WordSet& wrote, Record* record,
              Ends& ends);
  void bring(PointId point, Arrival arrival, Ends& ends);
  void note_writes(WordSet& wrote) const;
  void look_at(PointId point, const Environment& environment, Record& record);

  const Flow& flow_;
  Table<PointId, bool> halts_;
  Table<PointId, Arrival> waiting_;
  std::vector<PointId> open_;  // a heap, lowest first
  Outcome outcome_;
};

}  // namespace heddle::ranges
