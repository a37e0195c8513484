// Functions of libc that share state: standard input and output, the environment, the
// hidden buffers of strtok and localtime. A call is one event on the descriptor that stands
// for that state; inside, libc does as it likes, since nobody else runs.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <stdarg.h>
#include <stdio_ext.h>
#include <time.h>

#include "runtime/descriptor_io.h"

namespace heddle::runtime {
namespace {

using wire::SpecialDescriptor;

// A read that would block lets others go on until there is something to read.
void await_input(Call& call, FILE* file) {
  const bool has_some = file->_IO_read_ptr < file->_IO_read_end;
  const int descriptor = has_some ? -1 : ::fileno(file);
  if (descriptor >= 0) {
    await_descriptor(call, descriptor, POLLIN);
  } else {
    call.touch(SpecialDescriptor::stdio);
  }
}

}  // namespace
}  // namespace heddle::runtime

using namespace heddle::runtime;
using heddle::wire::SpecialDescriptor;

// TOUCH(stdio, int, puts, (text), const char* text): one event, then the real function.
#define TOUCH(descriptor, result, name, arguments, ...) \
  INTERPOSE(result, name, __VA_ARGS__) {                \
    AT_GATE_OR(REAL(name) arguments);                   \
    call.touch(SpecialDescriptor::descriptor);          \
    InsideLibc inside(&call.self);                      \
    errno = call.saved_errno;                           \
    auto answer = REAL(name) arguments;                 \
    call.saved_errno = errno;                           \
    return answer;                                      \
  }
#define INPUT(result, name, arguments, file, ...) \
  INTERPOSE(result, name, __VA_ARGS__) {          \
    AT_GATE_OR(REAL(name) arguments);             \
    await_input(call, file);                      \
    InsideLibc inside(&call.self);                \
    errno = call.saved_errno;                     \
    auto answer = REAL(name) arguments;           \
    call.saved_errno = errno;                     \
    return answer;                                \
  }
#define FORMATTED(name, real, last, before, ...) \
  INTERPOSE(int, name, __VA_ARGS__, ...) {       \
    va_list list;                                \
    va_start(list, last);                        \
    Thread* self = current_thread;               \
    if (self == nullptr || self->inside > 0) {   \
      const int plain = REAL(real) before;       \
      va_end(list);                              \
      return plain;                              \
    }                                            \
    Call call(*self, CALLER);                    \
    call.touch(SpecialDescriptor::stdio);        \
    InsideLibc inside(self);                     \
    errno = call.saved_errno;                    \
    const int answer = REAL(real) before;        \
    call.saved_errno = errno;                    \
    va_end(list);                                \
    return answer;                               \
  }

TOUCH(stdio, int, puts, (text), const char* text)
TOUCH(stdio, int, fputs, (text, file), const char* text, FILE* file)
TOUCH(stdio, int, putchar, (character), int character)
TOUCH(stdio, int, putc, (character, file), int character, FILE* file)
TOUCH(stdio, int, fputc, (character, file), int character, FILE* file)
TOUCH(stdio, std::size_t, fwrite, (data, size, count, file), const void* data, std::size_t size,
      std::size_t count, FILE* file)
TOUCH(stdio, int, fflush, (file), FILE* file)
TOUCH(stdio, FILE*, fopen, (path, mode), const char* path, const char* mode)
TOUCH(stdio, FILE*, fopen64, (path, mode), const char* path, const char* mode)
TOUCH(stdio, int, fclose, (file), FILE* file)
TOUCH(stdio, int, vprintf, (format, list), const char* format, va_list list)
TOUCH(stdio, int, vfprintf, (file, format, list), FILE* file, const char* format, va_list list)
FORMATTED(printf, vprintf, format, (format, list), const char* format)
FORMATTED(fprintf, vfprintf, format, (file, format, list), FILE* file, const char* format)
FORMATTED(__printf_chk, vprintf, format, (format, list), int, const char* format)
FORMATTED(__fprintf_chk, vfprintf, format, (file, format, list), FILE* file, int,
          const char* format)

INPUT(int, getchar, (), stdin)
INPUT(int, getc, (file), file, FILE* file)
INPUT(int, fgetc, (file), file, FILE* file)
INPUT(char*, fgets, (buffer, size, file), file, char* buffer, int size, FILE* file)
INPUT(std::size_t, fread, (data, size, count, file), file, void* data, std::size_t size,
      std::size_t count, FILE* file)
INPUT(ssize_t, getline, (line, size, file), file, char** line, std::size_t* size, FILE* file)
INPUT(ssize_t, getdelim, (line, size, delimiter, file), file, char** line, std::size_t* size,
      int delimiter, FILE* file)
FORMATTED(scanf, vscanf, format, (format, list), const char* format)
FORMATTED(__isoc99_scanf, vscanf, format, (format, list), const char* format)
FORMATTED(fscanf, vfscanf, format, (file, format, list), FILE* file, const char* format)
FORMATTED(__isoc99_fscanf, vfscanf, format, (file, format, list), FILE* file, const char* format)

INTERPOSE(void, perror, const char* text) {
  AT_GATE_OR(REAL(perror)(text));
  call.touch(SpecialDescriptor::stdio);
  InsideLibc inside(&call.self);
  errno = call.saved_errno;
  REAL(perror)(text);
}

TOUCH(environment, char*, getenv, (name), const char* name)
TOUCH(environment, int, setenv, (name, value, replace), const char* name, const char* value,
      int replace)
TOUCH(environment, int, unsetenv, (name), const char* name)
TOUCH(environment, int, putenv, (setting), char* setting)
TOUCH(text_state, char*, strtok, (text, separators), char* text, const char* separators)
TOUCH(text_state, char*, strerror, (number), int number)
TOUCH(time_zone, tm*, localtime, (time), const time_t* time)
TOUCH(time_zone, tm*, gmtime, (time), const time_t* time)
TOUCH(time_zone, char*, ctime, (time), const time_t* time)
TOUCH(time_zone, char*, asctime, (time), const tm* time)
