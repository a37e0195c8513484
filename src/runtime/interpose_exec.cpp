// Other programs: this process becomes one (exec), or a child does (posix_spawn). Neither is
// seen, since the channel is ours alone; that it happened is an event.
#include <cstdarg>

#include <spawn.h>
#include <unistd.h>

#include "runtime/interpose.h"

namespace heddle::runtime {
namespace {

void note(Call& call, wire::Unseen what) {
  call.touch(wire::SpecialDescriptor::process);
  event_log.unseen(what);
  event_log.settle();
}

std::size_t count_words(va_list words) {
  va_list copy;
  va_copy(copy, words);
  std::size_t count = 0;
  while (va_arg(copy, char*) != nullptr) ++count;
  va_end(copy);
  return count;
}

}  // namespace
}  // namespace heddle::runtime

using namespace heddle::runtime;
using heddle::wire::Unseen;

#define BECOMES(name, arguments, ...)        \
  INTERPOSE(int, name, __VA_ARGS__) {        \
    AT_GATE_OR(REAL(name) arguments);        \
    note(call, Unseen::new_program);         \
    const int result = REAL(name) arguments; \
    call.saved_errno = errno;                \
    return result;                           \
  }

BECOMES(execve, (path, words, environment), const char* path, char* const* words,
        char* const* environment)
BECOMES(execv, (path, words), const char* path, char* const* words)
BECOMES(execvp, (file, words), const char* file, char* const* words)
BECOMES(execvpe, (file, words, environment), const char* file, char* const* words,
        char* const* environment)
BECOMES(fexecve, (descriptor, words, environment), int descriptor, char* const* words,
        char* const* environment)

// The words of a call of execl and its like as an array on the stack; after their null, `rest`
// may hold the environment.
#define WORDS_OF_CALL(first, words, rest)                                            \
  va_list rest;                                                                      \
  va_start(rest, first);                                                             \
  const std::size_t count = (first) != nullptr ? count_words(rest) + 1 : 0;          \
  auto** words = static_cast<char**>(__builtin_alloca(sizeof(char*) * (count + 1))); \
  (words)[0] = const_cast<char*>(first);                                             \
  for (std::size_t i = 1; i <= count; ++i) (words)[i] = va_arg(rest, char*)

INTERPOSE(int, execl, const char* path, const char* first, ...) {
  WORDS_OF_CALL(first, words, rest);
  va_end(rest);
  return interposed_execv(path, words);
}

INTERPOSE(int, execlp, const char* file, const char* first, ...) {
  WORDS_OF_CALL(first, words, rest);
  va_end(rest);
  return interposed_execvp(file, words);
}

INTERPOSE(int, execle, const char* path, const char* first, ...) {
  WORDS_OF_CALL(first, words, rest);
  char* const* environment = va_arg(rest, char* const*);
  va_end(rest);
  return interposed_execve(path, words, environment);
}

#define SPAWNS(name)                                                                             \
  INTERPOSE(int, name, pid_t* child, const char* path, const posix_spawn_file_actions_t* files,  \
            const posix_spawnattr_t* attributes, char* const* words, char* const* environment) { \
    AT_GATE_OR(REAL(name)(child, path, files, attributes, words, environment));                  \
    note(call, Unseen::forked_process);                                                          \
    return REAL(name)(child, path, files, attributes, words, environment);                       \
  }

SPAWNS(posix_spawn)
SPAWNS(posix_spawnp)
