// Calls that have to be followed by something, also when an exception or the end of a
// thread leaves them. In C, since the cleanup of C++ would need its library.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
void heddle_call_with_cleanup(void (*routine)(void*), void* argument, void (*cleanup)(void*),
                              void* cleanup_argument);
#ifdef __cplusplus
}
#endif
