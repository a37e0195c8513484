// All that the graphs are built from: control flow, conflicts, order, and who can meet whom.
#pragma once

#include <memory>

#include "ranges/conflicts.h"
#include "ranges/flow.h"
#include "ranges/meeting.h"
#include "ranges/program_order.h"

namespace heddle::ranges {

struct Program {
  Flow flow;
  Conflicts conflicts;
  ProgramOrder order;
  Meeting meeting;

  explicit Program(Flow made)
      : flow(std::move(made)), conflicts(flow), order(flow, conflicts), meeting(flow) {}
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const model::Model& model() const { return flow.model(); }
};

inline Result<std::unique_ptr<Program>> make_program(const model::Model& model,
                                                     std::uint32_t unroll) {
  TRY(Flow flow, Flow::make(model, unroll));
  return std::make_unique<Program>(std::move(flow));
}

}  // namespace heddle::ranges
