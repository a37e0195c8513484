// Strict reading: a trace that is not well-formed is an error, or a list of offences.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "trace/rules.h"
#include "trace/stream.h"
#include "trace/well_formed.h"

namespace heddle {

// A filter that hands every event on unchanged, until one cannot come next:
// "a.std:12: T2 releases L, which T1 holds (rule foreign-release); --repair can mend this".
class ValidatingSource final : public EventSource {
 public:
  explicit ValidatingSource(std::unique_ptr<EventSource> inner);

  Result<void> next(std::vector<EventRecord>& batch) override;
  std::string where(std::size_t i) const override { return inner_->where(i); }
  Tables& tables() override { return inner_->tables(); }
  Metadata& metadata() override { return inner_->metadata(); }
  const std::optional<Damage>& damage() const override { return inner_->damage(); }

 private:
  std::unique_ptr<EventSource> inner_;
  WellFormed state_;
};

struct Violation {
  std::string where;
  std::uint64_t event;  // its number in the trace, from 0
  Offence offence;
};

struct Validation {
  std::vector<Violation> first;  // as many as were asked for
  std::uint64_t total = 0;
  std::uint64_t events = 0;
};

// Reads the source to its end and lists what is wrong with it. After an offence it goes
// on as if the trace had been repaired there, so that one mistake is not counted again
// and again.
Result<Validation> validate(EventSource& source, std::size_t at_most);

}  // namespace heddle
