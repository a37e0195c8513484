// Which other writes can a read see? Exact mode: for every read and every other write of its
// memory, whether a reordering ends in the read and lets it see that write.
//
// The reads of a thread are asked in the order of the thread, so that what must come before a
// read is included once and for all. How a read is asked about says read_question.h.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "predict/question.h"

namespace heddle::predict {

struct NondeterminismOptions {
  bool final_reads = true;
  Budget budget = {};
  unsigned workers = 1;
};

// Whether `read`, perhaps a final read, can see `write`, perhaps kInitialWrite, in a cell in
// which it saw another one.
struct ReadAnswer {
  EventId read;
  EventId write;
  Answer answer;
};

struct ReadSummary {
  std::uint64_t pairs = 0;
  std::uint64_t yes = 0;
  std::uint64_t no = 0;
  std::uint64_t undecided = 0;
  // By what a question was settled.
  std::uint64_t by_filters = 0;
  std::uint64_t by_saturation = 0;
  std::uint64_t by_search = 0;

  void add(const ReadSummary& other);
};

class ReadEngine;

using ReadAnswers = std::function<void(const ReadAnswer&)>;

class Nondeterminism {
 public:
  Nondeterminism(const Facts& facts, const NondeterminismOptions& options)
      : facts_(facts), options_(options) {}

  // How many questions there are: pairs of a read and another write of its memory.
  std::uint64_t question_count() const;

  // Asks everything and tells, in the order of threads and reads, what is not answered by no.
  ReadSummary ask_all(const ReadAnswers& tell) const;

  // The sequence for one of the answers.
  Shown show(EventId read, EventId write) const;

 private:
  // Reads of one thread, in its order, or final reads.
  using Reads = std::vector<EventId>;
  std::vector<Reads> portions() const;
  ReadSummary ask(const Reads& reads, ReadEngine& engine, const ReadAnswers& tell) const;

  const Facts& facts_;
  NondeterminismOptions options_;
};

}  // namespace heddle::predict
