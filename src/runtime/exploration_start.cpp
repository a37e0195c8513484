// The engine comes into the process before the program's first instruction, and has the word
// from the moment when main() is about to begin.
#include <dlfcn.h>

#include "runtime/atomic_functions.h"
#include "runtime/exploration_state.h"
#include "runtime/futex.h"
#include "runtime/gate.h"
#include "runtime/parked_threads.h"
#include "runtime/process.h"
#include "runtime/snapshot.h"

namespace heddle::runtime {

using namespace exploration;

namespace {

constexpr std::size_t kEngineStack = std::size_t{64} << 20;

KEPT explored::Search search;

void run_engine(void*) {
  if (channel->settings.follows_steps != 0) follow_schedule();
  if (channel->search.resets_by_fork == 0) prepare_snapshot();
  search(&kProgram, channel);
  for (;;) system_call(SYS_exit_group, 0);
}

// The engine lies beside the runtime.
void load_engine() {
  Dl_info own;
  LARGE static char path[4096];
  std::size_t length = 0;
  if (::dladdr(reinterpret_cast<void*>(&load_engine), &own) != 0) {
    for (const char* c = own.dli_fname; *c != 0 && length + 64 < sizeof path; ++c)
      path[length++] = *c;
  }
  while (length > 0 && path[length - 1] != '/') --length;
  for (const char* c = explored::kEngineFile; *c != 0; ++c) path[length++] = *c;
  path[length] = 0;
  void* library = REAL(dlopen)(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    fail("libheddle_engine.so does not load; it belongs beside libheddle_rt.so");
  search = reinterpret_cast<explored::Search>(::dlsym(library, explored::kEngineEntry));
  if (search == nullptr) fail("libheddle_engine.so is of another version than libheddle_rt.so");
}

}  // namespace

void prepare_exploration(wire::Header* header) {
  channel = header;
  message_copy = header->message;
  exploring = true;
  use_resettable_memory();
  find_out_how_to_set_thread_pointer();
  find_atomic_functions();
  if (header->settings.follows_steps == 0) load_engine();
}

void begin_explored_main(Thread& main_thread, std::uint64_t stack_high) {
  if (gate.live().size() > 1) {
    fail("the program starts threads before main(), which cannot be explored");
  }
  handle_faults();
  find_uninstrumented_libraries();
  engine.thread_pointer = parked_thread_pointer(0);
  const auto stack = reinterpret_cast<std::uint64_t>(map_kept_pages(kEngineStack));
  prepare_fiber(engine, stack + kEngineStack, run_engine, nullptr);
  main_start.thread_pointer = reinterpret_cast<std::uint64_t>(__builtin_thread_pointer());
  main_thread.fiber = main_start;
  main_thread.stack_high = stack_high;
  switch_fiber(main_start, engine);
}

}  // namespace heddle::runtime
