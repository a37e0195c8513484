// What the files of the exploration share with one another (exploration.h is for the others).
#pragma once

#include "runtime/exploration.h"
#include "runtime/fiber.h"

namespace heddle::runtime::exploration {

// What has happened in the last step.
struct StepRecord {
  static constexpr std::uint32_t kMost = 4096;
  explored::Effect effects[kMost];
  std::uint32_t effect_count;
  std::uint32_t ran[kMost];
  std::uint32_t ran_count;
};

// These stay when the program is put back to its start.
extern Fiber engine;
extern Fiber main_start;  // main() before its first instruction
extern wire::Header* channel;
extern explored::Outcome outcome;
extern StepRecord step_record;
extern std::uint32_t note_bits;
extern std::uint32_t unseen_bits;
extern bool over;        // the execution has come to its end
extern Thread* running;  // null while the engine has the word

// These are put back.
extern Thread* leaving;  // stands before the end of the process
extern int exit_status;

// Stepping (exploration.cpp).
bool can_go_on(const Thread& thread);
void restart();
void prepare_snapshot();
void advance(std::uint32_t thread, std::uint32_t choice);
bool keep_state(std::uint32_t number);
void return_to(std::uint32_t number);
// Where outputs count, whatever prints comes in some order.
bool prints(const Operation& operation);

// What the engine is told (exploration_view.cpp).
extern const explored::Program kProgram;

// Takes the steps of the channel's schedule, with everything that happens in the log
// (exploration_replay.cpp).
[[noreturn]] void follow_schedule();
// When following one: says what is wrong, and ends the process.
void stop_if_wrong();

// Crashes become findings (exploration_faults.cpp).
void handle_faults();
int signal_of_crash();  // 0: there was none

// Locks and the like of libraries that are not instrumented: nobody stands anywhere while it
// holds one, so they are always free, and what they protect is not seen
// (exploration_libraries.cpp).
void find_uninstrumented_libraries();
bool is_internal(const Operation& operation);

}  // namespace heddle::runtime::exploration
