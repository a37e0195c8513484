#include "engine/forked_program.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstring>

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/futex.h"

namespace heddle {
namespace {

using runtime::futex_wait;
using runtime::futex_wake;
using runtime::Sharing;
using runtime::system_call;

constexpr std::uint32_t kMostThreads = 1024;
constexpr std::uint32_t kMostJoins = 8192;

// What both sides see.
struct Mailbox {
  std::atomic<std::uint32_t> asked;     // counts up; futex of the child
  std::atomic<std::uint32_t> answered;  // follows it; futex of the parent
  std::uint32_t thread, choice;         // the question
  // The answer:
  std::uint32_t thread_count;
  bool over;
  std::uint32_t unseen;
  std::uint32_t notes;
  explored::Outcome outcome;
  std::uint32_t effect_count;
  explored::Effect effects[kMostThreads];
  std::uint32_t ran_count;
  std::uint32_t ran[kMostThreads];
  explored::Next next[kMostThreads];
  std::uint64_t states[kMostThreads];
  std::uint32_t joins[kMostJoins];
};

const explored::Program* original;
Mailbox* mailbox;
long child = -1;

void publish_threads() {
  std::uint32_t joins = 0;
  mailbox->thread_count = std::min(original->thread_count(), kMostThreads);
  for (std::uint32_t i = 0; i < mailbox->thread_count; ++i) {
    explored::Next& next = mailbox->next[i];
    original->next(i, &next);
    const bool stands = next.place == explored::Place::standing;
    mailbox->states[i] = stands ? original->state(i) : 0;
    next.join_count = std::min(next.join_count, kMostJoins - joins);
    std::copy_n(next.joins, next.join_count, mailbox->joins + joins);
    next.joins = mailbox->joins + joins;  // mapped at the same place in the parent
    joins += next.join_count;
  }
}

void publish() {
  publish_threads();
  mailbox->over = original->over();
  mailbox->unseen = original->unseen();
  mailbox->notes |= original->notes();
  mailbox->outcome = *original->outcome();
  std::uint32_t count = 0;
  const explored::Effect* effects = original->effects(&count);
  mailbox->effect_count = std::min(count, kMostThreads);
  std::copy_n(effects, mailbox->effect_count, mailbox->effects);
  const std::uint32_t* ran = original->ran(&count);
  mailbox->ran_count = std::min(count, kMostThreads);
  std::copy_n(ran, mailbox->ran_count, mailbox->ran);
}

void answer(std::uint32_t question) {
  publish();
  mailbox->answered.store(question);
  futex_wake(&mailbox->answered, 1, Sharing::processes);
}

[[noreturn]] void serve() {
  system_call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);  // also when it does not come back
  original->restart();
  std::uint32_t question = mailbox->asked.load();
  for (;;) {
    answer(question);
    while (mailbox->asked.load() == question) {
      futex_wait(&mailbox->asked, question, Sharing::processes);
    }
    question = mailbox->asked.load();
    original->advance(mailbox->thread, mailbox->choice);
  }
}

// A child that died instead of answering crashed in a way that it could not tell.
bool child_died() {
  int status = 0;
  if (system_call(SYS_wait4, child, reinterpret_cast<long>(&status), WNOHANG) != child)
    return false;
  child = -1;
  mailbox->over = true;
  mailbox->effect_count = mailbox->ran_count = 0;
  mailbox->outcome.wrong = explored::Wrong::crash;
  std::strncpy(mailbox->outcome.message, "the program's process died", 64);
  return true;
}

void await_answer() {
  const std::uint32_t question = mailbox->asked.load();
  const timespec patience{0, 100'000'000};
  while (mailbox->answered.load() != question) {
    futex_wait(&mailbox->answered, question - 1, Sharing::processes, &patience);
    if (mailbox->answered.load() != question && child_died()) return;
  }
}

void restart() {
  if (child > 0) {
    system_call(SYS_kill, child, SIGKILL);
    system_call(SYS_wait4, child);
  }
  mailbox->asked.fetch_add(1);
  system_call(SYS_lseek, STDOUT_FILENO, 0, SEEK_SET);  // children share the position
  child = system_call(SYS_fork);
  if (child == 0) serve();
  await_answer();
}

void advance(std::uint32_t thread, std::uint32_t choice) {
  mailbox->thread = thread;
  mailbox->choice = choice;
  mailbox->asked.fetch_add(1);
  futex_wake(&mailbox->asked, 1, Sharing::processes);
  await_answer();
}

void next(std::uint32_t thread, explored::Next* result) {
  if (thread < mailbox->thread_count) {
    *result = mailbox->next[thread];
    if (mailbox->over) result->place = explored::Place::finished;
  } else {
    *result = explored::Next();
  }
}

bool stands_before(const explored::Taken& step) {
  explored::Next standing;
  next(step.thread, &standing);
  return standing.place == explored::Place::standing && standing.ready &&
         standing.kind == step.kind && standing.object == step.object && standing.pc == step.pc;
}

std::size_t follow(const explored::Taken* steps, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (!stands_before(steps[i])) return i;
    advance(steps[i].thread, steps[i].choice);
  }
  return count;
}

std::uint64_t state(std::uint32_t thread) { return mailbox->states[thread]; }
std::uint32_t thread_count() { return mailbox->thread_count; }
const explored::Effect* effects(std::uint32_t* count) {
  *count = mailbox->effect_count;
  return mailbox->effects;
}
const std::uint32_t* ran(std::uint32_t* count) {
  *count = mailbox->ran_count;
  return mailbox->ran;
}
const explored::Outcome* outcome() { return &mailbox->outcome; }
bool over() { return mailbox->over; }
std::uint32_t unseen() { return mailbox->unseen; }
std::uint32_t notes() { return mailbox->notes; }

explored::Program forked;

}  // namespace

const explored::Program& in_forked_children(const explored::Program& program) {
  original = &program;
  mailbox = static_cast<Mailbox*>(
      ::mmap(nullptr, sizeof(Mailbox), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  forked = program;
  forked.restart = restart;
  forked.advance = advance;
  forked.follow = follow;
  forked.thread_count = thread_count;
  forked.next = next;
  forked.state = state;
  forked.effects = effects;
  forked.ran = ran;
  forked.outcome = outcome;
  forked.over = over;
  forked.unseen = unseen;
  forked.notes = notes;
  forked.keep_state = [](std::uint32_t) { return false; };
  forked.kept_bytes = [] { return std::uint64_t{0}; };
  return forked;
}

}  // namespace heddle
