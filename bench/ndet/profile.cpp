#include "bench/ndet/profile.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

#include "base/random.h"

namespace heddle::ndet {
namespace {

// --- How many reads and writes each variable gets ---

struct Variable {
  std::uint32_t reads = 0;
  std::uint32_t writes = 0;
};

std::uint64_t possible_witnesses(const std::vector<Variable>& variables) {
  std::uint64_t pairs = 0;
  // Every read, the final one too, has all other writes, the initial one too, as challengers.
  for (const Variable& v : variables) pairs += (std::uint64_t{v.reads} + 1) * v.writes;
  return 3 * pairs;
}

// The hot variables get `hot` of the accesses, a part `writes` (per thousand) of which are writes;
// the others are mostly read.
std::vector<Variable> distribute(const Profile& profile, std::uint32_t hot, std::uint32_t writes) {
  std::vector<Variable> result(profile.variables);
  const std::uint32_t rest = profile.accesses - hot;
  for (std::uint32_t i = 0; i < rest; ++i) {
    Variable& v = result[i % profile.variables];
    // Set once, then read.
    ++(v.writes == 0 ? v.writes : v.reads);
  }
  const std::uint32_t hot_variables = std::max(1u, profile.variables / 40);
  for (std::uint32_t i = 0; i < hot; ++i) {
    Variable& v = result[i % hot_variables];
    ++(i / hot_variables * writes % 1000 < writes ? v.writes : v.reads);
  }
  return result;
}

std::vector<Variable> distribute(const Profile& profile) {
  for (std::uint32_t writes : {400u, 250u, 120u, 60u}) {
    std::uint32_t low = 0;
    std::uint32_t high = profile.accesses;
    while (low < high) {
      const std::uint32_t middle = (low + high) / 2;
      if (possible_witnesses(distribute(profile, middle, writes)) < profile.possible) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    // Enough accesses have to be left for the others.
    if (low > profile.accesses / 20 || writes == 60) return distribute(profile, low, writes);
  }
  return {};
}

// --- What each thread does ---

struct Step {
  EventKind kind;
  std::uint32_t object = 0;
};
using Program = std::vector<Step>;

class Layout {
 public:
  explicit Layout(const Profile& profile)
      : profile_(profile), random_(profile.events * 31 + profile.threads) {}

  std::vector<Program> run() {
    std::vector<Program> programs(profile_.threads);
    const std::vector<std::vector<Step>> accesses = share_accesses();
    const std::uint32_t sections = (profile_.lock_events - profile_.wait_notify / 2) / 2;
    for (std::uint32_t t = 0; t < profile_.threads; ++t) {
      const std::uint32_t share = share_of(sections, t);
      lay_out(programs[t], accesses[t], share, share_of(profile_.wait_notify, t));
    }
    fill(programs);
    return programs;
  }

 private:
  std::uint32_t share_of(std::uint32_t all, std::uint32_t thread) const {
    return all / profile_.threads + (thread < all % profile_.threads ? 1 : 0);
  }

  std::vector<std::vector<Step>> share_accesses() {
    std::vector<Step> all;
    const std::vector<Variable> variables = distribute(profile_);
    for (std::uint32_t v = 0; v < variables.size(); ++v) {
      all.insert(all.end(), variables[v].reads, {EventKind::read, v});
      all.insert(all.end(), variables[v].writes, {EventKind::write, v});
    }
    for (std::size_t i = all.size(); i > 1; --i) {
      std::swap(all[i - 1], all[random_.below(static_cast<std::uint32_t>(i))]);
    }
    std::vector<std::vector<Step>> result(profile_.threads);
    for (const Step& step : all) {
      // Most of the cold variables are used by one thread mainly.
      const std::uint32_t home = step.object % profile_.threads;
      const bool at_home = step.object >= profile_.variables / 40 + 1 && !random_.chance(20);
      result[at_home ? home : random_.below(profile_.threads)].push_back(step);
    }
    return result;
  }

  std::uint32_t lock_of(std::uint32_t variable) const { return variable % profile_.locks; }

  // Accesses of the same lock are done in one section, a few at a time, as long as there are
  // sections left; the rest is done without a lock.
  void lay_out(Program& program, std::vector<Step> accesses, std::uint32_t sections,
               std::uint32_t wait_notify) {
    const std::size_t per_section =
        sections == 0 ? 1 : std::max<std::size_t>(1, accesses.size() / (sections + 1));
    std::size_t next = 0;
    std::uint32_t conditions = wait_notify;
    while (next < accesses.size() || sections > 0) {
      if (sections == 0) {
        program.push_back(accesses[next++]);
        continue;
      }
      --sections;
      const std::uint32_t lock = next < accesses.size() ? lock_of(accesses[next].object) : 0;
      program.push_back({EventKind::acquire, lock});
      const std::size_t end = std::min(accesses.size(), next + per_section);
      std::vector<Step> outside;
      for (; next < end; ++next) {
        const bool inside = lock_of(accesses[next].object) == lock || random_.chance(60);
        inside ? program.push_back(accesses[next]) : outside.push_back(accesses[next]);
      }
      if (conditions > 0 && random_.chance(30)) {
        --conditions;
        program.push_back({conditions % 2 == 0 ? EventKind::notify_all : EventKind::wait, lock});
      }
      program.push_back({EventKind::release, lock});
      program.insert(program.end(), outside.begin(), outside.end());
    }
    for (; conditions > 0; --conditions) program.push_back({EventKind::notify_all, 0});
  }

  // Steps of the threads' own, as many as are missing.
  void fill(std::vector<Program>& programs) {
    std::uint32_t count = 2 * (profile_.threads - 1);
    for (const Program& program : programs) count += static_cast<std::uint32_t>(program.size());
    while (count < profile_.events) {
      Program& program = programs[random_.below(profile_.threads)];
      const auto at = random_.below(static_cast<std::uint32_t>(program.size() + 1));
      program.insert(program.begin() + at, {EventKind::branch, 0});
      ++count;
    }
  }

  const Profile& profile_;
  Random random_;
};

// --- One run ---

class Execution {
 public:
  Execution(const Profile& profile, std::vector<Program> programs)
      : programs_(std::move(programs)),
        random_(profile.events),
        done_(profile.threads, 0),
        waiting_(profile.threads, kRunning),
        holder_(profile.locks, kNobody) {
    Tables& tables = trace_.tables;
    const auto name = [&](std::string_view prefix, std::uint32_t i) {
      return tables.strings.intern(fmt::format("{}{}", prefix, i));
    };
    for (std::uint32_t i = 0; i < profile.threads; ++i) tables.threads.add({name("T", i)});
    for (std::uint32_t i = 0; i < profile.locks; ++i) tables.locks.add({name("L", i)});
    for (std::uint32_t i = 0; i < profile.locks; ++i) tables.conditions.add({name("C", i)});
    for (std::uint32_t i = 0; i < profile.variables; ++i) tables.locations.add({name("x", i)});
  }

  Trace run() {
    for (std::uint32_t t = 1; t < programs_.size(); ++t) emit(0, EventKind::fork, t);
    std::uint32_t thread = 0;
    while (true) {
      if (random_.chance(15) || !step(thread)) {
        if (!any_step(thread)) break;
      }
    }
    for (std::uint32_t t = 1; t < programs_.size(); ++t) emit(0, EventKind::join, t);
    trace_.shrink();
    return std::move(trace_);
  }

 private:
  static constexpr std::uint32_t kNobody = 0xffffffff;
  static constexpr std::uint32_t kRunning = 0xffffffff;

  void emit(std::uint32_t thread, EventKind kind, std::uint32_t object,
            LockId lock = LockId::none()) {
    EventRecord record;
    record.kind = kind;
    record.thread = ThreadId(thread);
    record.object = object;
    record.lock = lock;
    trace_.append(record);
  }

  // Some thread that can go on, a random one first.
  bool any_step(std::uint32_t& thread) {
    const auto threads = static_cast<std::uint32_t>(programs_.size());
    const std::uint32_t first = random_.below(threads);
    for (std::uint32_t i = 0; i < threads; ++i) {
      thread = (first + i) % threads;
      if (step(thread)) return true;
    }
    return false;
  }

  bool step(std::uint32_t thread) {
    if (waiting_[thread] != kRunning) return false;
    const Program& program = programs_[thread];
    if (done_[thread] == program.size()) return false;
    const Step& step = program[done_[thread]];
    if (step.kind == EventKind::acquire && holder_[step.object] != kNobody) return false;
    ++done_[thread];
    switch (step.kind) {
      case EventKind::acquire: holder_[step.object] = thread; break;
      case EventKind::release: holder_[step.object] = kNobody; break;
      case EventKind::wait: wait(thread, step.object); return true;
      case EventKind::notify_all:
        emit(thread, step.kind, step.object);
        wake_all(step.object);
        return true;
      default: break;
    }
    emit(thread, step.kind, step.object);
    return true;
  }

  // Waits only where somebody is left who will wake it up; else it is a notify.
  void wait(std::uint32_t thread, std::uint32_t lock) {
    if (!somebody_notifies(thread, lock)) {
      emit(thread, EventKind::notify_all, lock);
      wake_all(lock);
      return;
    }
    emit(thread, EventKind::wait, lock, LockId(lock));
    holder_[lock] = kNobody;
    waiting_[thread] = lock;
  }

  bool somebody_notifies(std::uint32_t thread, std::uint32_t lock) const {
    for (std::uint32_t t = 0; t < programs_.size(); ++t) {
      if (t == thread || waiting_[t] != kRunning) continue;
      const Program& program = programs_[t];
      for (std::size_t i = done_[t]; i < program.size(); ++i) {
        // It must not have to wait itself before.
        if (program[i].kind == EventKind::wait) break;
        if (program[i].kind == EventKind::notify_all && program[i].object == lock) return true;
      }
    }
    return false;
  }

  // A woken thread takes its lock again before it goes on.
  void wake_all(std::uint32_t lock) {
    for (std::uint32_t t = 0; t < programs_.size(); ++t) {
      if (waiting_[t] != lock) continue;
      waiting_[t] = kRunning;
      emit(t, EventKind::wake, lock);
      Program& program = programs_[t];
      program.insert(program.begin() + static_cast<std::ptrdiff_t>(done_[t]),
                     {EventKind::acquire, lock});
    }
  }

  std::vector<Program> programs_;
  Random random_;
  std::vector<std::size_t> done_;
  std::vector<std::uint32_t> waiting_;  // for which condition
  std::vector<std::uint32_t> holder_;
  Trace trace_;
};

template <typename Number>
bool read_number(std::istringstream& line, Number& number) {
  std::string word;
  if (!std::getline(line, word, ',')) return false;
  std::istringstream stream(word);
  return static_cast<bool>(stream >> number);
}

}  // namespace

Result<std::vector<Profile>> read_profiles(const std::string& path) {
  std::ifstream file(path);
  if (!file) return make_error("cannot read {}", path);
  std::vector<Profile> result;
  std::string text;
  std::getline(file, text);
  while (std::getline(file, text)) {
    std::istringstream line(text);
    Profile p;
    std::getline(line, p.name, ',');
    const bool ok = read_number(line, p.threads) && read_number(line, p.events) &&
                    read_number(line, p.lock_events) && read_number(line, p.locks) &&
                    read_number(line, p.accesses) && read_number(line, p.variables) &&
                    read_number(line, p.wait_notify) && read_number(line, p.possible) &&
                    read_number(line, p.cyclic) && read_number(line, p.no_choice) &&
                    read_number(line, p.with_choice) && read_number(line, p.possible_graphs) &&
                    read_number(line, p.explored_graphs) && read_number(line, p.seconds) &&
                    read_number(line, p.feasible) && read_number(line, p.infeasible);
    if (!ok) return make_error("{}: a wrong line: {}", path, text);
    result.push_back(std::move(p));
  }
  return result;
}

Trace make_trace(const Profile& profile) { return Execution(profile, Layout(profile).run()).run(); }

}  // namespace heddle::ndet
