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

// One variable in forty is hot: together they get `hot` of the accesses. Of these, and of the
// others, so many per thousand are writes.
std::vector<Variable> distribute(const Profile& profile, std::vector<Variable> result,
                                 std::uint32_t hot, std::uint32_t hot_writes,
                                 std::uint32_t cold_writes) {
  const auto give = [](Variable& v, std::uint32_t number, std::uint32_t writes) {
    ++(number * writes % 1000 < writes ? v.writes : v.reads);
  };
  const std::uint32_t hot_variables = std::max(1u, profile.variables / 40);
  for (std::uint32_t i = 0; i < profile.accesses - hot; ++i) {
    give(result[i % profile.variables], i / profile.variables, cold_writes);
  }
  for (std::uint32_t i = 0; i < hot; ++i) {
    give(result[i % hot_variables], i / hot_variables, hot_writes);
  }
  return result;
}

// As many writes as possible, so that the threads depend on each other, but not more witnesses
// than the profile has.
std::vector<Variable> distribute(const Profile& profile, const std::vector<Variable>& base) {
  for (std::uint32_t cold : {400u, 250u, 150u, 80u, 40u, 20u, 10u, 0u}) {
    for (std::uint32_t writes : {400u, 250u, 120u, 60u}) {
      std::uint32_t low = 0;
      std::uint32_t high = profile.accesses;
      while (low < high) {
        const std::uint32_t middle = (low + high) / 2;
        const auto variables = distribute(profile, base, middle, writes, cold);
        (possible_witnesses(variables) < profile.possible ? low : high) =
            possible_witnesses(variables) < profile.possible ? middle + 1 : middle;
      }
      const auto variables = distribute(profile, base, low, writes, cold);
      const bool fits = possible_witnesses(variables) < profile.possible * 21 / 20;
      if (fits && (low > profile.accesses / 20 || cold == 0)) return variables;
    }
  }
  return distribute(profile, base, 0, 0, 0);
}

// --- How many sections depend on the one before ---

// So many sections begin with a read and end with a write of their lock's own variable: the last
// ones, the hot variables come first.
std::uint32_t own_variable(const Profile& profile, std::uint32_t lock) {
  return profile.variables - 1 - lock % profile.variables;
}

std::vector<Variable> own_accesses(const Profile& profile, std::uint32_t coupled) {
  std::vector<Variable> result(profile.variables);
  for (std::uint32_t i = 0; i < coupled; ++i) {
    Variable& own = result[own_variable(profile, i % profile.locks)];
    ++own.reads;
    ++own.writes;
  }
  return result;
}

// Per thousand; more would be too many witnesses or accesses.
std::uint32_t coupled_sections(const Profile& profile, std::uint32_t sections) {
  for (std::uint32_t share : {1000u, 700u, 500u, 250u, 100u, 50u, 20u}) {
    const std::uint32_t coupled = sections * share / 1000;
    if (2 * coupled > profile.accesses * 6 / 10) continue;
    Profile rest = profile;
    rest.accesses -= 2 * coupled;
    const auto variables = distribute(rest, own_accesses(profile, coupled));
    if (possible_witnesses(variables) <= profile.possible * 21 / 20) return share;
  }
  return 0;
}

// --- What each thread does ---

struct Step {
  EventKind kind;
  std::uint32_t object = 0;
};
using Program = std::vector<Step>;

class Layout {
 public:
  Layout(const Profile& profile, std::uint32_t sections)
      : profile_(profile), sections_(sections), random_(profile.events * 31 + profile.threads) {}

  std::vector<Program> run() {
    std::vector<Program> programs(profile_.threads);
    coupled_ = coupled_sections(profile_, sections_);
    const std::uint32_t coupled = sections_ * coupled_ / 1000;
    Profile rest = profile_;
    rest.accesses -= 2 * coupled;
    const std::vector<std::vector<Step>> accesses =
        share_accesses(rest, own_accesses(profile_, coupled));
    for (std::uint32_t t = 0; t < profile_.threads; ++t) {
      const std::uint32_t share = share_of(sections_, t);
      lay_out(t, programs[t], accesses[t], share, share_of(profile_.wait_notify, t));
    }
    fill(programs);
    return programs;
  }

 private:
  std::uint32_t share_of(std::uint32_t all, std::uint32_t thread) const {
    return all / profile_.threads + (thread < all % profile_.threads ? 1 : 0);
  }

  // Without those that the sections do anyway.
  std::vector<std::vector<Step>> share_accesses(const Profile& rest,
                                                const std::vector<Variable>& base) {
    std::vector<Step> all;
    const std::vector<Variable> variables = distribute(rest, base);
    for (std::uint32_t v = 0; v < variables.size(); ++v) {
      all.insert(all.end(), variables[v].reads - base[v].reads, {EventKind::read, v});
      all.insert(all.end(), variables[v].writes - base[v].writes, {EventKind::write, v});
    }
    for (std::size_t i = all.size(); i > 1; --i) {
      std::swap(all[i - 1], all[random_.below(static_cast<std::uint32_t>(i))]);
    }
    std::vector<std::vector<Step>> result(profile_.threads);
    for (const Step& step : all) result[thread_for(step.object)].push_back(step);
    return result;
  }

  std::uint32_t lock_of(std::uint32_t variable) const { return variable % profile_.locks; }

  std::uint32_t thread_for(std::uint32_t variable) {
    const bool home = random_.chance(profile_.shape.home);
    return home ? variable % profile_.threads : random_.below(profile_.threads);
  }
  std::uint32_t lock_for(std::uint32_t thread) {
    if (!random_.chance(profile_.shape.own)) return random_.below(profile_.locks);
    const std::uint32_t first = thread % profile_.locks;
    const std::uint32_t count = (profile_.locks - first - 1) / profile_.threads + 1;
    return first + profile_.threads * random_.below(count);
  }

  // A section reads and then writes variables that its lock guards; some accesses stand outside.
  void lay_out(std::uint32_t thread, Program& program, const std::vector<Step>& accesses,
               std::uint32_t sections, std::uint32_t wait_notify) {
    std::vector<std::vector<Step>> guarded(profile_.locks);
    std::vector<Step> outside;
    for (const Step& step : accesses) {
      random_.chance(profile_.shape.outside) ? outside.push_back(step)
                                             : guarded[lock_of(step.object)].push_back(step);
    }
    std::uint32_t conditions = wait_notify;
    for (std::uint32_t left = sections; left > 0; --left) {
      const std::uint32_t lock = next_lock(thread, guarded);
      std::vector<Step>& inside = guarded[lock];
      const std::size_t count = std::min(inside.size(), accesses.size() / (sections + 1) + 1);
      std::vector<Step> body(inside.end() - static_cast<std::ptrdiff_t>(count), inside.end());
      inside.resize(inside.size() - count);
      std::stable_sort(body.begin(), body.end(), [](const Step& a, const Step& b) {
        return a.kind == EventKind::read && b.kind != EventKind::read;
      });
      const bool coupled = (coupling_ += coupled_) >= 1000;
      if (coupled) coupling_ -= 1000;
      const std::uint32_t own = own_variable(profile_, lock);
      program.push_back({EventKind::acquire, lock});
      if (coupled) program.push_back({EventKind::read, own});
      program.insert(program.end(), body.begin(), body.end());
      if (coupled) program.push_back({EventKind::write, own});
      if (conditions > 0 && random_.chance(30)) {
        --conditions;
        program.push_back({conditions % 2 == 0 ? EventKind::notify_all : EventKind::wait, lock});
      }
      program.push_back({EventKind::release, lock});
      const std::size_t share = outside.size() / left;
      program.insert(program.end(), outside.end() - static_cast<std::ptrdiff_t>(share),
                     outside.end());
      outside.resize(outside.size() - share);
    }
    for (const auto& rest : guarded) program.insert(program.end(), rest.begin(), rest.end());
    for (; conditions > 0; --conditions) program.push_back({EventKind::notify_all, 0});
  }

  // A lock with accesses left that it guards, the more of them the likelier.
  std::uint32_t next_lock(std::uint32_t thread, const std::vector<std::vector<Step>>& guarded) {
    std::size_t all = 0;
    for (const auto& steps : guarded) all += steps.size();
    if (all == 0) return lock_for(thread);
    std::size_t draw = random_.below(static_cast<std::uint32_t>(all));
    std::uint32_t lock = 0;
    for (; draw >= guarded[lock].size(); ++lock) draw -= guarded[lock].size();
    return lock;
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
  std::uint32_t sections_;
  Random random_;
  std::uint32_t coupled_ = 0;  // sections per thousand
  std::uint32_t coupling_ = 0;
};

// --- One run ---

class Execution {
 public:
  Execution(const Profile& profile, std::vector<Program> programs)
      : programs_(std::move(programs)),
        random_(profile.events),
        switches_(profile.shape.switches),
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
      if (random_.chance(switches_) || !step(thread)) {
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
  std::uint32_t switches_;  // per cent of the steps
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

Result<void> read_shapes(const std::string& path, std::vector<Profile>& profiles) {
  std::ifstream file(path);
  if (!file) return make_error("cannot read {}", path);
  std::string text;
  std::getline(file, text);
  while (std::getline(file, text)) {
    std::istringstream line(text);
    std::string name;
    Shape shape;
    std::getline(line, name, ',');
    const auto profile = std::find_if(profiles.begin(), profiles.end(),
                                      [&](const Profile& p) { return p.name == name; });
    const bool ok = profile != profiles.end() && read_number(line, shape.outside) &&
                    read_number(line, shape.own) && read_number(line, shape.home) &&
                    read_number(line, shape.switches);
    if (!ok) return make_error("{}: a wrong line: {}", path, text);
    profile->shape = shape;
  }
  return {};
}

// How many waits there are, each of which takes its lock once more, is known only after a run; so
// the number of sections is corrected once.
Trace make_trace(const Profile& profile) {
  const auto with_sections = [&](std::uint32_t sections) {
    return Execution(profile, Layout(profile, sections).run()).run();
  };
  const std::uint32_t sections = profile.lock_events / 2;
  const Trace first = with_sections(sections);
  std::uint32_t too_many = 0;
  for (EventId e : first.events()) {
    const EventKind kind = first.kind(e);
    too_many += kind == EventKind::acquire || kind == EventKind::release ? 1 : 0;
  }
  too_many -= std::min(too_many, profile.lock_events);
  return with_sections(sections - std::min(sections, too_many / 2));
}

}  // namespace heddle::ndet
