#include "record/translator.h"

#include <pthread.h>
#include <semaphore.h>

#include "base/check.h"

namespace heddle {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(wire::SpecialDescriptor::count)>
    kSpecialNames = {"",      "clock",      "random",  "environment", "time zone",
                     "stdio", "text state", "outside", "process"};

constexpr std::array<std::string_view, static_cast<std::size_t>(wire::Unseen::count)> kUnseenTexts =
    {
        "weak memory orders: atomic operations were carried out as sequentially consistent",
        "real time: waits with a deadline timed out when nothing else could happen",
        "addresses: so much memory was freed by threads other than its own that it was reused",
        "a child process: it ran by itself",
        "calls that block outside the gate: when they return is not part of the seed",
        "the program that the process became by exec: it ran by itself",
        "signal handlers: they run when the signal comes, which is not part of the seed",
        "other processes: they may write to the memory that the program shares with them",
};

// How large objects of a type are: as pthreads has them, then a futex or a word of the
// compiler's.
std::array<std::uint32_t, 3> sizes_of(ObjectType type, std::uint64_t extra) {
  const bool readers_writer = extra == static_cast<std::uint64_t>(LockKind::readers_writer);
  switch (type) {
    case ObjectType::lock:
      if (readers_writer) return {sizeof(pthread_rwlock_t), 4, 8};
      return {sizeof(pthread_mutex_t), 4, 8};
    case ObjectType::condition: return {sizeof(pthread_cond_t), 4, 8};
    case ObjectType::semaphore: return {sizeof(sem_t), 4, 8};
    case ObjectType::barrier: return {sizeof(pthread_barrier_t), 4, 8};
    default: return {4, 8, 1};
  }
}

static_assert(static_cast<int>(wire::LockKind::readers_writer) ==
              static_cast<int>(LockKind::readers_writer));

bool is_control(const wire::Record& record) {
  return record.type >= static_cast<std::uint8_t>(wire::Control::thread);
}

std::string_view verb_of(EventKind kind) {
  switch (kind) {
    case EventKind::join: return "waits for the end of";
    case EventKind::wake: return "waits to be notified on";
    case EventKind::barrier_leave: return "waits at";
    case EventKind::once_begin: return "waits for the initialisation of";
    default: return "waits for";
  }
}

}  // namespace

void Translator::take(const wire::Record& record) {
  if (!is_control(record)) return begin_row(record);
  const auto type = static_cast<wire::Control>(record.type);
  if (type == wire::Control::values) return add_values(record);
  control(record);
}

std::string Translator::describe_last() const {
  return fmt::format("{}, last seen at {},", tables_.describe(last_thread_),
                     tables_.describe(tables_.outside_libraries(last_site_)));
}

void Translator::control(const wire::Record& record) {
  const auto type = static_cast<wire::Control>(record.type);
  if (module_ && type != wire::Control::text) finish_module();
  switch (type) {
    case wire::Control::thread: return define_thread(record);
    case wire::Control::object: return define_object(record);
    case wire::Control::stack:
      return sites_.define_stack(static_cast<std::uint32_t>(record.object), record.stack,
                                 record.pc);
    case wire::Control::module: module_ = Module{record.object, record.value, {}, 0}; return;
    case wire::Control::text: return add_text(record);
    case wire::Control::region: return define_region(record);
    case wire::Control::blocked:
      blocked_.push_back(
          {ThreadId(record.thread), static_cast<EventKind>(record.detail),
           object_numbered(object_type(static_cast<EventKind>(record.detail)), record.object),
           record.value == wire::kNobody ? ThreadId::none()
                                         : ThreadId(static_cast<std::uint32_t>(record.value)),
           sites_.site(record.stack, record.pc)});
      return;
    case wire::Control::deadlock: deadlocked_ = true; return;
    case wire::Control::stopped: stopped_ = true; return;
    case wire::Control::diverged:
      diverged_ = {ThreadId(static_cast<std::uint32_t>(record.value)),
                   static_cast<wire::Divergence>(record.detail)};
      return;
    case wire::Control::unseen: unseen_[record.detail] = true; return;
    case wire::Control::late_shared: ++late_shared_; return;
    case wire::Control::shared:
    case wire::Control::block: return;
    case wire::Control::frame: return define_frame(record);
    case wire::Control::thread_locals:
      return space_.add_thread_locals(record.object, record.value, record.extra,
                                      ThreadId(record.thread));
    case wire::Control::values: return;
    case wire::Control::follows: return row_sites_.set_follower(record.object, record.value);
    case wire::Control::thread_name:
      named_thread_ = ThreadId(record.thread);
      thread_names_[named_thread_].clear();
      return;
  }
}

void Translator::add_text(const wire::Record& record) {
  std::string& text = module_ ? module_->path : thread_names_[named_thread_];
  text.append(wire::text_of(record), record.text_size);
}

void Translator::finish_module() {
  memory_.forget(module_->low, module_->high);
  space_.add_module(module_->low, module_->high, module_->path);
  module_.reset();
}

// A thread's name says whose child it is, and the how many-th: it is the same in every run.
void Translator::define_thread(const wire::Record& record) {
  const std::string name =
      record.thread == 0
          ? "main"
          : fmt::format("{}.{}", tables_.describe(ThreadId(record.size)), record.extra);
  const ThreadId thread = tables_.threads.add({tables_.strings.intern(name)});
  CHECK(thread.value() == record.thread);
  space_.add_stack(record.object, record.value, fmt::format("stack of {}", name));
  memory_.forget(record.object, record.value);
  frames_.clear(record.object, record.value);
}

void Translator::define_frame(const wire::Record& record) {
  const ThreadId thread(record.thread);
  if (record.pc == 0) return frames_.clear_below(thread, record.extra);
  frames_.add(thread, {record.pc - 1, record.object, record.value}, record.stack, record.extra);
}

std::string Translator::memory_name(ObjectType type, std::uint64_t address, std::uint64_t extra) {
  const auto sizes = sizes_of(type, extra);
  const std::string local =
      space_.is_stack(address) ? frames_.object_name(address, sizes) : std::string();
  return local.empty() ? space_.object_name(address, sizes) : local;
}

std::string Translator::object_name(ObjectType type, const wire::Record& record) {
  if (type != ObjectType::descriptor) return memory_name(type, record.value, record.extra);
  if (record.extra != 0) return std::string(kSpecialNames[record.extra]);
  return fmt::format("descriptor {}", record.value - 1);
}

std::uint32_t Translator::add_object(ObjectType type, std::string_view name, std::uint32_t extra) {
  const StringId text = tables_.strings.intern(name);
  switch (type) {
    case ObjectType::lock: tables_.locks.add({text, static_cast<LockKind>(extra)}); break;
    case ObjectType::condition: tables_.conditions.add({text}); break;
    case ObjectType::semaphore: tables_.semaphores.add({text, extra}); break;
    case ObjectType::barrier: tables_.barriers.add({text, extra}); break;
    case ObjectType::once: tables_.onces.add({text}); break;
    case ObjectType::descriptor: tables_.descriptors.add({text}); break;
    case ObjectType::none:
    case ObjectType::location:
    case ObjectType::region:
    case ObjectType::thread: break;
  }
  return static_cast<std::uint32_t>(tables_.object_count(type) - 1);
}

void Translator::define_object(const wire::Record& record) {
  const auto type = static_cast<ObjectType>(record.detail);
  const std::string name = object_name(type, record);
  NumberedObject numbered;
  numbered.id = add_object(type, name, static_cast<std::uint32_t>(record.extra));
  const bool outlives_calls = type == ObjectType::lock || type == ObjectType::condition;
  if (outlives_calls && space_.is_stack(record.value)) {
    numbered.on_stack = static_cast<std::uint32_t>(stack_objects_.size());
    stack_objects_.push_back({record.value,
                              record.extra,
                              frames_.life_at(record.value),
                              frames_.changes(),
                              {{name, numbered.id}}});
  }
  auto& numbers = numbers_[static_cast<std::size_t>(type)];
  CHECK(numbers.size() == record.object);
  numbers.push_back(numbered);
}

// The object of the trace that the runtime's number stands for.
std::uint32_t Translator::object_numbered(ObjectType type, std::uint64_t number) {
  auto& numbers = numbers_[static_cast<std::size_t>(type)];
  if (number >= numbers.size()) return static_cast<std::uint32_t>(number);  // a thread, or nothing
  NumberedObject& numbered = numbers[number];
  if (numbered.on_stack != NumberedObject::kOnNoStack &&
      stack_objects_[numbered.on_stack].changes != frames_.changes()) {
    look_up_again(type, numbered);
  }
  return numbered.id;
}

void Translator::look_up_again(ObjectType type, NumberedObject& numbered) {
  StackObject& object = stack_objects_[numbered.on_stack];
  object.changes = frames_.changes();
  const std::uint64_t life = frames_.life_at(object.address);
  if (object.life == life) return;
  object.life = life;
  const std::string name = memory_name(type, object.address, object.extra);
  const auto [known, is_new] = object.ids.try_emplace(name);
  if (is_new) known->second = add_object(type, name, static_cast<std::uint32_t>(object.extra));
  numbered.id = known->second;
}

void Translator::define_region(const wire::Record& record) {
  memory_.forget(record.object, record.value);
  const auto type = static_cast<wire::RegionType>(record.detail);
  switch (type) {
    case wire::RegionType::thread_locals:
      space_.add_relocated(record.object, record.value, "thread-locals of main");
      return;
    case wire::RegionType::initial_stack:
      space_.add_relocated(record.object, record.value, "initial stack");
      return;
    case wire::RegionType::arguments: space_.add(record.object, record.value, "arguments"); return;
    case wire::RegionType::mapped: space_.add(record.object, record.value, "mapped memory"); return;
  }
}

void Translator::translate_event(const wire::Record& record, EventRecord& event) {
  event = EventRecord();
  event.kind = static_cast<EventKind>(record.type);
  event.detail = record.detail;
  event.thread = ThreadId(record.thread);
  event.site = sites_.site(record.stack, record.pc);
  frames_.set_position(event.thread, record.stack, record.pc);
  if (is_access(event.kind)) {
    set_access(event, record);
  } else if (object_type(event.kind) == ObjectType::region) {
    event.object = region_of(record, event);
  } else {
    event.object = object_numbered(object_type(event.kind), record.object);
  }
  if (event.kind == EventKind::wait) {
    event.lock = LockId(object_numbered(ObjectType::lock, record.extra));
  }
}

// One that a page has no room for.
LocationId Translator::location_elsewhere(std::uint64_t address, std::uint32_t size) {
  const LocationId known = memory_.location(address, size);
  if (known.valid()) return known;
  const LocationId location = space_.add_location(address, size);
  if (!location.valid()) return location_on_stack(address, size);
  memory_.set_location(address, size, location);
  return location;
}

// What may be another variable at the next instruction is looked up every time.
LocationId Translator::location_on_stack(std::uint64_t address, std::uint32_t size) {
  StackFrames::Name name = frames_.name_at(address, size);
  if (!name.text.valid()) name.text = space_.thread_local_name(address, size);
  const LocationId location = space_.stack_location(address, size, name.text);
  if (name.certain) memory_.set_location(address, size, location);
  return location;
}

// Of an atomic access.
void Translator::set_access(EventRecord& event, const wire::Record& record) {
  event.object = location_at(record.object, record.size).value();
  if ((record.flags & wire::kHasValue) != 0) {
    event.has_value = true;
    event.value = canonical(record.value, record.size);
    if (event.kind == EventKind::atomic_rmw) event.old_value = canonical(record.extra, record.size);
    compare_values(event, record.object, record.size);
  }
  if (!event.has_value && writes(event.kind)) memory_.forget_values(record.object, record.size);
}

std::string Translator::in_words(const EventRecord& access) const {
  return fmt::format("{} at {}", tables_.describe(ObjectType::location, access.object),
                     tables_.describe(tables_.outside_libraries(access.site)));
}

void Translator::compare_values(EventRecord& event, std::uint64_t address, std::uint32_t size) {
  const bool also_reads = event.kind == EventKind::atomic_rmw;
  const std::uint64_t seen = also_reads ? event.old_value : event.value;
  if (reads(event.kind) && !memory_.read_value(address, size, seen)) {
    note_unseen_write(event);
  } else if (writes(event.kind)) {
    memory_.set_value(address, size, event.value);
  }
}

// A read of what nobody is known to have written came from no event: it has no value.
void Translator::note_unseen_write(EventRecord& read) {
  if (unseen_writes_++ == 0) first_unseen_read_ = in_words(read);
  read.has_value = false;
  read.value = read.old_value = 0;
}

std::uint32_t Translator::region_of(const wire::Record& record, const EventRecord& event) {
  if (event.kind == EventKind::free) {
    memory_.forget(record.object, record.object + record.value);
    return space_.remove(record.object).value();
  }
  const std::uint64_t size = record.value == 0 ? 1 : record.value;
  memory_.forget(record.object, record.object + size);
  return space_
      .add_block(record.object, record.object + size, event.thread, record.extra, event.site)
      .value();
}

std::vector<std::string> Translator::unseen() {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < unseen_.size(); ++i) {
    if (unseen_[i]) lines.emplace_back(kUnseenTexts[i]);
  }
  if (unseen_writes_ > 0) {
    lines.push_back(fmt::format(
        "{} read{} of values that no event wrote, the first of {}: code that is not instrumented "
        "wrote them",
        unseen_writes_, unseen_writes_ == 1 ? "" : "s", first_unseen_read_));
  }
  for (const std::string& problem : names_.unseen()) lines.push_back(problem);
  return lines;
}

std::string Translator::describe(const BlockedThread& thread) const {
  std::string text = fmt::format("{} {} {}", tables_.describe(thread.thread), verb_of(thread.kind),
                                 tables_.describe(object_type(thread.kind), thread.object));
  if (thread.holder.valid()) text += fmt::format(", held by {}", tables_.describe(thread.holder));
  if (thread.site.valid()) {
    text += fmt::format(" ({})", tables_.describe(tables_.outside_libraries(thread.site)));
  }
  return text;
}

}  // namespace heddle
