// What the names of a model mean, scope by scope.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/nearest.h"
#include "model/model.h"

namespace heddle::model {

enum class SymbolKind : std::uint8_t { constant, variable, sync, thread };

struct Symbol {
  SymbolKind kind = SymbolKind::constant;
  std::int64_t value = 0;  // constant
  bool is_bool = false;    // constant
  VariableId variable{};
  std::uint32_t index = 0;  // into Model::sync_declarations or Model::templates
};

class Names {
 public:
  const Symbol* find(std::string_view name) const {
    for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
      if (entry->name == name) return &entry->symbol;
    }
    return nullptr;
  }
  // False if the innermost scope has that name already.
  bool add(std::string_view name, Symbol symbol) {
    for (std::size_t i = scopes_.empty() ? 0 : scopes_.back(); i < entries_.size(); ++i) {
      if (entries_[i].name == name) return false;
    }
    entries_.push_back({name, symbol});
    return true;
  }

  void open_scope() { scopes_.push_back(entries_.size()); }
  void close_scope() {
    entries_.resize(scopes_.back());
    scopes_.pop_back();
  }

  // The known name that is most like this one.
  std::optional<std::string> similar(std::string_view name) const {
    std::vector<std::string> known;
    for (const Entry& entry : entries_) known.emplace_back(entry.name);
    return nearest(name, known);
  }

 private:
  struct Entry {
    std::string_view name;
    Symbol symbol;
  };
  std::vector<Entry> entries_;
  std::vector<std::size_t> scopes_;
};

}  // namespace heddle::model
