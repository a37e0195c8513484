#include "hybrid/trace_run.h"

#include <map>
#include <set>

namespace heddle::hybrid {
namespace {

class Converter {
 public:
  explicit Converter(const Trace& trace) : trace_(trace) {}

  TraceRun convert() {
    ObservedRun& run = result_.run;
    run.threads = trace_.tables.threads.size();
    run.atomics_race = true;
    for (const EventId e : trace_.events()) {
      run.events.push_back({{trace_.thread(e), 0}, accesses_of(e), site_of(e)});
    }
    run.objects = result_.names.size();
    return std::move(result_);
  }

 private:
  std::vector<Access> accesses_of(EventId e) {
    const EventKind kind = trace_.kind(e);
    if (kind == EventKind::begin || kind == EventKind::end) {
      return {{kind, number_of(ObjectType::thread, trace_.thread(e).value())}};
    }
    const ObjectType type = object_type(kind);
    if (type == ObjectType::none) return {};
    std::vector<Access> accesses = {{kind, number_of(type, trace_.object(e))}};
    if (kind == EventKind::wait) {
      const std::uint32_t lock = trace_.lock_of_wait(e).value();
      accesses.emplace_back(EventKind::release, number_of(ObjectType::lock, lock));
    }
    return accesses;
  }

  SystemObject number_of(ObjectType type, std::uint32_t object) {
    const auto [place, is_new] =
        objects_.emplace(std::pair(type, object), result_.names.end_index());
    if (is_new) result_.names.add(trace_.tables.describe(type, object));
    return place->second;
  }

  std::uint32_t site_of(EventId e) {
    const auto number = static_cast<std::uint32_t>(result_.run.sites.size());
    const auto [place, is_new] = sites_.emplace(trace_.site(e), number);
    if (is_new) {
      result_.run.sites.push_back(trace_.site(e).valid() ? trace_.tables.describe(trace_.site(e))
                                                         : std::string());
    }
    return place->second;
  }

  const Trace& trace_;
  TraceRun result_;
  std::map<std::pair<ObjectType, std::uint32_t>, SystemObject> objects_;
  std::map<SiteId, std::uint32_t> sites_;
};

std::set<SystemObject> accessed_at(const ObservedRun& run, const std::string& site) {
  std::set<SystemObject> objects;
  for (std::size_t e = 0; e < run.events.size(); ++e) {
    if (run.site_of(e) != site) continue;
    for (const Access& access : run.events[e].accesses) {
      if (is_access(access.kind)) objects.insert(access.object);
    }
  }
  return objects;
}

}  // namespace

TraceRun run_of_trace(const Trace& trace) { return Converter(trace).convert(); }

std::string location_at(const TraceRun& run, const std::vector<std::string>& sites) {
  const std::set<SystemObject> first = accessed_at(run.run, sites.front());
  for (const SystemObject object : accessed_at(run.run, sites.back())) {
    if (first.contains(object)) return run.names[object];
  }
  return {};
}

}  // namespace heddle::hybrid
