#include "native/types.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace heddle {
namespace {

class PathFinder {
 public:
  PathFinder(const TypeTable& types, std::uint64_t size)
      : types_(types), size_(std::max<std::uint64_t>(size, 1)) {}

  struct Place {
    std::string path;
    std::uint64_t rest = 0;  // from the start of the part that the path names
    bool exact = false;      // that part is as large as what was asked for
  };

  Place find(TypeId id, std::uint64_t offset) const {
    const Type& type = types_[id];
    if (offset == 0 && type.size == size_ && type.kind == Type::Kind::scalar) return {"", 0, true};
    auto inner = type.kind == Type::Kind::array ? in_array(type, offset) : in_members(type, offset);
    if (inner && (inner->exact || offset != 0 || type.size != size_)) return *std::move(inner);
    return {"", offset, offset == 0 && type.size == size_};
  }

 private:
  std::optional<Place> in_array(const Type& type, std::uint64_t offset) const {
    const std::uint64_t each = type.element.valid() ? types_[type.element].size : 0;
    if (each == 0 || offset % each + size_ > each) return std::nullopt;
    Place place = find(type.element, offset % each);
    place.path = fmt::format("[{}]{}", offset / each, place.path);
    return place;
  }

  std::optional<Place> in_members(const Type& type, std::uint64_t offset) const {
    std::optional<Place> best;
    for (const Member& member : type.members) {
      const std::uint64_t end = member.offset + types_[member.type].size;
      if (offset < member.offset || offset + size_ > end) continue;
      Place place = find(member.type, offset - member.offset);
      if (shown(member, type)) place.path = fmt::format(".{}{}", text_of(member), place.path);
      if (!best || better(place, *best)) best = std::move(place);
    }
    return best;
  }
  std::string_view text_of(const Member& member) const { return types_.text(member.name); }
  // What a library wraps around a single thing of its own, as std::atomic does, is left out.
  bool shown(const Member& member, const Type& type) const {
    if (!member.name.valid()) return false;
    const std::string_view name = text_of(member);
    const bool reserved =
        name.size() > 1 && name[0] == '_' && (name[1] == '_' || is_upper(name[1]));
    return !reserved || types_[member.type].size != type.size;
  }
  static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
  static bool better(const Place& a, const Place& b) {
    return a.exact != b.exact ? a.exact : a.rest == 0 && b.rest != 0;
  }

  const TypeTable& types_;
  std::uint64_t size_;
};

}  // namespace

std::string name_of(const TypeTable& types, TypeId type, std::uint64_t offset, std::uint64_t size) {
  const auto place = PathFinder(types, size).find(type, offset);
  return place.rest == 0 ? place.path : fmt::format("{} +{}", place.path, place.rest);
}

}  // namespace heddle
