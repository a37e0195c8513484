#include "runtime/stop_point.h"

#include "runtime/gate.h"

// Where in the program the thread is that stopped; the debugger goes up to there
// (src/record/debugger.cpp).
extern "C" {
extern volatile std::uint64_t heddle_stop_pc;
volatile std::uint64_t heddle_stop_pc = 0;
}

namespace heddle::runtime {

constinit std::uint64_t stop_at = wire::kNoStop;

namespace {

bool under_debugger;

__attribute__((noinline)) void break_here(std::uint64_t pc) {
  heddle_stop_pc = pc;
  asm volatile("int3");
}

}  // namespace

void prepare_to_stop(const wire::Settings& settings) {
  stop_at = settings.stop_at;
  under_debugger = settings.debugger != 0;
  if (stop_at != wire::kNoStop) event_log.set_budget(static_cast<std::int64_t>(stop_at));
}

void stop_here(std::uint64_t pc) {
  event_log.settle();
  stop_at = wire::kNoStop;
  under_debugger ? break_here(pc) : report_stop();
}

void break_if_debugged(std::uint64_t pc) {
  if (under_debugger) break_here(pc);
}

}  // namespace heddle::runtime
