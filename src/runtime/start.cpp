// The start of the runtime: is there a host, and if so, the main thread comes to the gate.
//
// The whole program then runs on a stack of ours, with its arguments and environment copied
// to a fixed place, so that no address depends on how large the environment is or where the
// kernel put things.
#include <cstdlib>

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <unistd.h>

#include "runtime/call_on_stack.h"
#include "runtime/exploration.h"
#include "runtime/forecast.h"
#include "runtime/futex.h"
#include "runtime/gate.h"
#include "runtime/new_thread.h"
#include "runtime/policy.h"
#include "runtime/process.h"
#include "runtime/scout.h"
#include "runtime/stack_slot.h"
#include "runtime/stop_point.h"
#include "runtime/thread_life.h"
#include "runtime/thread_locals.h"
#include "runtime/vehicle.h"

extern char** environ;
extern "C" void* __libc_stack_end;

namespace heddle::runtime {
namespace {

constexpr std::uint64_t kArguments = 0x3f00'0000'0000;
constexpr std::uint64_t kArgumentText = kArguments + (std::uint64_t{8} << 20);
constexpr std::uint64_t kEnvironmentText = kArguments + (std::uint64_t{32} << 20);
constexpr std::uint64_t kArgumentsEnd = kArguments + (std::uint64_t{64} << 20);

using Main = int (*)(int, char**, char**);
using StartMain = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);

struct MainCall {
  StartMain start;
  Main main;
  int argument_count;
  char** arguments;
  void (*init)();
  void (*fini)();
  void (*rtld_fini)();
  void* stack_end;
  int status;
};

StackBounds main_stack;
Main program_main;
Array<std::uint64_t> known_modules;

// The value of the variable that names the channel, which is taken out of the environment.
const char* take_channel_variable() {
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const char* name = wire::kChannelVariable;
    char* text = *entry;
    while (*name != 0 && *name == *text) ++name, ++text;
    if (*name != 0 || *text != '=') continue;
    for (char** rest = entry; *rest != nullptr; ++rest) rest[0] = rest[1];
    return text + 1;
  }
  return nullptr;
}

wire::Header* map_channel(const char* number) {
  int descriptor = 0;
  for (; *number >= '0' && *number <= '9'; ++number) descriptor = descriptor * 10 + *number - '0';
  const long size = system_call(SYS_lseek, descriptor, 0, SEEK_END);
  if (size <= 0) return nullptr;
  void* memory = REAL(mmap)(nullptr, static_cast<std::size_t>(size), PROT_READ | PROT_WRITE,
                            MAP_SHARED, descriptor, 0);
  system_call(SYS_close, descriptor);
  auto* header = static_cast<wire::Header*>(memory);
  if (memory == MAP_FAILED || header->magic != wire::kMagic) {
    fail("the channel to 'heddle record' is not one of this version");
  }
  if (header->attached.load() != 0) {
    fail("this run was made already; start 'heddle replay' again to see it once more");
  }
  return header;
}

// The loader has no path for the program itself.
const char* path_of_program() {
  LARGE static char path[4096];
  const long size = system_call(SYS_readlink, reinterpret_cast<long>("/proc/self/exe"),
                                reinterpret_cast<long>(path), sizeof path - 1);
  path[size > 0 ? size : 0] = 0;
  return path;
}

int define_module(dl_phdr_info* info, std::size_t, void*) {
  std::uint64_t low = ~std::uint64_t{0};
  std::uint64_t high = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const std::uint64_t start = info->dlpi_addr + segment.p_vaddr;
    if (start < low) low = start;
    if (start + segment.p_memsz > high) high = start + segment.p_memsz;
  }
  if (high == 0) return 0;
  for (const std::uint64_t known : known_modules) {
    if (known == low) return 0;
  }
  known_modules.push(low);
  const char* path = info->dlpi_name;
  event_log.define_module(low, high, *path != 0 ? path : path_of_program());
  return 0;
}

// glibc puts the thread-local variables of the program below the thread's own block.
int define_thread_locals(dl_phdr_info* info, std::size_t, void* data) {
  auto& size = *static_cast<std::uint64_t*>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type == PT_TLS) size += segment.p_memsz + segment.p_align;
  }
  return 0;
}

void define_regions() {
  std::uint64_t locals = 4096;
  ::dl_iterate_phdr(define_thread_locals, &locals);
  const auto block = reinterpret_cast<std::uint64_t>(__builtin_thread_pointer());
  event_log.define_region(wire::RegionType::thread_locals, block - locals, block + 4096);
  const auto top = reinterpret_cast<std::uint64_t>(__libc_stack_end);
  event_log.define_region(wire::RegionType::initial_stack, top - (std::uint64_t{8} << 20), top);
  event_log.define_region(wire::RegionType::arguments, kArguments, kArgumentsEnd);
}

void open_ownership(wire::Header* header) {
  if (header->settings.selection == wire::Selection::everything) return;
  forecast.open(wire::shared_sites_of(header), header->shared_sites);
  if (ownership.open(wire::shared_ranges_of(header), header->shared_ranges)) return;
  header->refused.store(wire::kNoScout);
  fail("there is no room for the table of who touches what; record with --all");
}

void come_to_the_gate(wire::Header* header) {
  event_log.attach(header);
  if (header->settings.policy == wire::PolicyKind::explore) prepare_exploration(header);
  keep_to_one_processor();
  open_ownership(header);
  Thread& main_thread = *keep<Thread>();
  main_stack = take_slot(main_thread, kDefaultStack);
  main_thread.handle = ::pthread_self();
  note_handle(main_thread);
  start_driving(main_thread, header->settings);
  gate.open(main_thread);
  choose_policy(header->settings);
  prepare_to_stop(header->settings);
  event_log.define_thread(main_thread, 0, main_stack.low, main_stack.high);
  define_new_modules();
  define_regions();
  tell_thread_locals(main_thread);
  __libc_single_threaded = 0;
  set_current_thread(&main_thread);
  event_log.event(main_thread, EventKind::begin, 0, 0);
  if (header->settings.confined != 0) confine(header);
}

char* copy_text(const char* text, std::uint64_t& place) {
  char* copy = reinterpret_cast<char*>(place);
  std::size_t size = 0;
  while (text[size] != 0) ++size;
  RUNTIME_CHECK(place + size < kArgumentsEnd);
  copy_bytes(copy, text, size + 1);
  place += size + 1;
  return copy;
}

std::uint64_t argument_ends[3];  // of the table, the arguments' text and the environment's

// argv, a null, the environment, a null: one array, as the kernel makes it.
char** copy_arguments(int count, char** arguments) {
  map_pages_at(kArguments, kArgumentsEnd - kArguments);
  char** table = reinterpret_cast<char**>(kArguments);
  std::uint64_t place = kArgumentText;
  for (int i = 0; i < count; ++i) table[i] = copy_text(arguments[i], place);
  argument_ends[1] = place;
  place = kEnvironmentText;
  char** copied = table + count + 1;
  for (char** entry = environ; *entry != nullptr; ++entry) *copied++ = copy_text(*entry, place);
  argument_ends[0] = reinterpret_cast<std::uint64_t>(copied + 1);
  argument_ends[2] = place;
  environ = table + count + 1;
  return table;
}

}  // namespace

void visit_arguments(void (*visit)(std::uint64_t low, std::uint64_t high)) {
  visit(kArguments, argument_ends[0]);
  visit(kArgumentText, argument_ends[1]);
  visit(kEnvironmentText, argument_ends[2]);
}

namespace {

__attribute__((noinline)) void call_main(Thread& self, int count, char** arguments,
                                         char** environment, int& status) {
  self.entry_frame = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
  status = program_main(count, arguments, environment);
}

__attribute__((noinline)) bool main_returned(Thread& self, int count, char** arguments,
                                             char** environment, int& status) {
  if (__builtin_setjmp(self.entry_jump) != 0) return false;
  call_main(self, count, arguments, environment, status);
  return true;
}

// main() may return, which ends the process, or end its thread alone.
int main_at_the_gate(int count, char** arguments, char** environment) {
  Thread& self = *current_thread;
  int status = 0;
  if (exploring) begin_explored_main(self, main_stack.high);
  if (main_returned(self, count, arguments, environment, status)) std::exit(status);
  end_thread(self);
  for (;;) system_call(SYS_exit, 0);
}

void start_main(void* argument) {
  auto* call = static_cast<MainCall*>(argument);
  // What is registered first is called last.
  call->status =
      call->start(main_at_the_gate, call->argument_count, call->arguments, call->init, call->fini,
                  exploring ? end_execution : call->rtld_fini, call->stack_end);
}

}  // namespace

void define_new_modules() { ::dl_iterate_phdr(define_module, nullptr); }

__attribute__((constructor(101))) void start() {
  const char* channel = take_channel_variable();
  if (channel == nullptr) return;
  if (wire::Header* header = map_channel(channel)) come_to_the_gate(header);
}

__attribute__((destructor(101))) void stop() {
  if (current_thread != nullptr) log_exit(*current_thread);
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

HEDDLE_EXPORT int __libc_start_main(Main main, int count, char** arguments, void (*init)(),
                                    void (*fini)(), void (*rtld_fini)(), void* stack_end) {
  MainCall call{reinterpret_cast<StartMain>(find_real("__libc_start_main")),
                main,
                count,
                arguments,
                init,
                fini,
                rtld_fini,
                stack_end,
                0};
  if (current_thread == nullptr) {
    return call.start(main, count, arguments, init, fini, rtld_fini, stack_end);
  }
  program_main = main;
  call.arguments = copy_arguments(count, arguments);
  heddle_call_on_stack(main_stack.high, start_main, &call);
  return call.status;
}
