// Annotations that programs may contain for the thread sanitizer. Under the gate there is
// nothing to ignore and no mutex that is not known, so they have no effect; they exist
// so that such programs link.
#include "runtime/ground_rules.h"

#define ANNOTATION(name, ...) \
  HEDDLE_EXPORT void name(__VA_ARGS__) {}

ANNOTATION(__tsan_ignore_thread_begin)
ANNOTATION(__tsan_ignore_thread_end)
ANNOTATION(__tsan_acquire, void*)
ANNOTATION(__tsan_release, void*)
ANNOTATION(__tsan_mutex_create, void*, unsigned)
ANNOTATION(__tsan_mutex_destroy, void*, unsigned)
ANNOTATION(__tsan_mutex_pre_lock, void*, unsigned)
ANNOTATION(__tsan_mutex_post_lock, void*, unsigned, int)
ANNOTATION(__tsan_mutex_post_unlock, void*, unsigned)
ANNOTATION(__tsan_mutex_pre_signal, void*, unsigned)
ANNOTATION(__tsan_mutex_post_signal, void*, unsigned)
ANNOTATION(__tsan_mutex_pre_divert, void*, unsigned)
ANNOTATION(__tsan_mutex_post_divert, void*, unsigned)
ANNOTATION(AnnotateHappensBefore, const char*, int, const volatile void*)
ANNOTATION(AnnotateHappensAfter, const char*, int, const volatile void*)
ANNOTATION(AnnotateIgnoreReadsBegin, const char*, int)
ANNOTATION(AnnotateIgnoreReadsEnd, const char*, int)
ANNOTATION(AnnotateIgnoreWritesBegin, const char*, int)
ANNOTATION(AnnotateIgnoreWritesEnd, const char*, int)
ANNOTATION(AnnotateIgnoreSyncBegin, const char*, int)
ANNOTATION(AnnotateIgnoreSyncEnd, const char*, int)
ANNOTATION(AnnotateRWLockCreate, const char*, int, const volatile void*)
ANNOTATION(AnnotateRWLockDestroy, const char*, int, const volatile void*)
ANNOTATION(AnnotateRWLockAcquired, const char*, int, const volatile void*, long)
ANNOTATION(AnnotateRWLockReleased, const char*, int, const volatile void*, long)
ANNOTATION(AnnotateBenignRaceSized, const char*, int, const volatile void*, long, const char*)
ANNOTATION(AnnotateBenignRace, const char*, int, const volatile void*, const char*)
ANNOTATION(AnnotateNewMemory, const char*, int, const volatile void*, long)
ANNOTATION(AnnotateFlushState, const char*, int)
ANNOTATION(AnnotateThreadName, const char*, int, const char*)

HEDDLE_EXPORT int __tsan_mutex_pre_unlock(void*, unsigned) { return 0; }
