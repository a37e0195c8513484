// Calls a function with the table that holds the objects of a given type.
#pragma once

#include "base/check.h"
#include "trace/tables.h"

namespace heddle {

// `f` takes any of the tables and returns the same type for each; the type must not be
// none, which has no table. Works on const and mutable tables.
template <typename AnyTables, typename F>
decltype(auto) with_table(AnyTables& tables, ObjectType type, F f) {
  switch (type) {
    case ObjectType::location: return f(tables.locations);
    case ObjectType::region: return f(tables.regions);
    case ObjectType::lock: return f(tables.locks);
    case ObjectType::thread: return f(tables.threads);
    case ObjectType::condition: return f(tables.conditions);
    case ObjectType::semaphore: return f(tables.semaphores);
    case ObjectType::barrier: return f(tables.barriers);
    case ObjectType::once: return f(tables.onces);
    case ObjectType::descriptor: return f(tables.descriptors);
    case ObjectType::none: break;
  }
  fail_check(__FILE__, __LINE__, "type has a table", "");
}

}  // namespace heddle
