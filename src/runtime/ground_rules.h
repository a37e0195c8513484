// Ground rules of the runtime, which lives inside somebody else's program.
//
// - No exceptions, no RTTI, no library but libc and libgcc_s. No template instance of a
//   library may be emitted: it would be weak, and the program's instrumented copy would
//   take its place. Own containers only (memory.h).
// - Nothing is exported but the hooks of the instrumentation and the names that are
//   interposed (exports.map). A name that is interposed is never called by that name from
//   inside; the real function is REAL(name).
// - No constructor that does work. Whatever may be called before start() must cope.
// - Memory comes from memory.h, never from malloc: malloc is ours, and is the program's.
// - All state is touched only by the thread that holds the gate's token. What other threads
//   may touch at the same time is std::atomic, and says so.
// - memcpy, memmove and memset are interposed. copy_bytes and fill_bytes are the plain ones, and
//   calls that the compiler makes on its own accord, for a large struct say, go there, too: the
//   linker sees to that (memory.cpp).
// - errno is the program's: a hook leaves it as it was.
#pragma once

#include <cstddef>
#include <cstdint>

// INTERPOSE(int, name, int parameter) { body }: a definition that is found under `name` by
// the program. Its name in C++ is another one, so that it neither clashes with the
// declaration of a header nor is called by mistake.
#define HEDDLE_EXPORT extern "C" __attribute__((visibility("default"), used))
#define INTERPOSE(result, name, ...)                                  \
  HEDDLE_EXPORT result interposed_##name(__VA_ARGS__) __asm__(#name); \
  HEDDLE_EXPORT result interposed_##name(__VA_ARGS__)

// Of variables that stay as they are when an exploration puts everything else back to how it
// was (snapshot.h).
#define KEPT __attribute__((section("heddle_kept")))

// Arrays that are rarely written to stand apart from what every step changes: the less pages
// that is, the sooner they are put back.
#define LARGE __attribute__((section("heddle_large")))

// The function that the program would have called without us.
#define REAL(name)                                                                         \
  ([] {                                                                                    \
    KEPT static decltype(&::name) function;                                                \
    if (function == nullptr)                                                               \
      function = reinterpret_cast<decltype(&::name)>(::heddle::runtime::find_real(#name)); \
    return function;                                                                       \
  }())

// Where an interposed function was called from.
#define CALLER (reinterpret_cast<std::uint64_t>(__builtin_return_address(0)))

#define RUNTIME_CHECK(condition)                                     \
  do {                                                               \
    if (!(condition)) [[unlikely]]                                   \
      ::heddle::runtime::fail_check(__FILE__, __LINE__, #condition); \
  } while (false)

namespace heddle::runtime {

// The next definition after ours; of the newest version where libc has several.
void* find_real(const char* name);

// Says so on standard error and ends the process with status 125.
[[noreturn]] void fail_check(const char* file, int line, const char* condition);
[[noreturn]] void fail(const char* message);
// One line on standard error, without any buffer or lock; also to `message_copy`, if it is set,
// a place for 256 bytes.
extern char* message_copy;
void say(const char* message);

}  // namespace heddle::runtime
