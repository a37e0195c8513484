// Whether a JSON document follows rules that are a JSON document themselves.
//
// The rules name kinds of objects: which keys each needs, which it may have, and what is behind
// them: {"is": "string"}, {"one_of": [...]}, {"least": 1} for whole numbers, {"object": KIND},
// {"list_of": KIND} ("some": not empty, "unique": no two alike), {"strings": true} for an
// object of strings; "begins" and "uri" say more about a string.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace heddle {

// What is wrong, each with its place such as "/runs/0/tool"; empty: nothing.
std::vector<std::string> broken_rules(const nlohmann::json& rules, const nlohmann::json& document);

}  // namespace heddle
