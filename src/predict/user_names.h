// Functions and variables as users name them: shorter than their full names in a trace.
#pragma once

#include <string>
#include <string_view>

#include "trace/tables.h"

namespace heddle::predict {

// "deposit", "Bank::deposit" and "Bank::deposit(int)" all name "Bank::deposit(int) const".
bool names_function(std::string_view word, std::string_view function);
// "accounts" and "accounts[3]" both name "accounts[3].balance".
bool names_variable(std::string_view word, std::string_view variable);

// Whether the trace has events in such a function; and whether it has such a variable.
bool has_function(const Tables& tables, std::string_view word);
bool has_variable(const Tables& tables, std::string_view word);

}  // namespace heddle::predict
