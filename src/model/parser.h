// From text to tree. docs/model-language.md has the grammar; each function of the parser
// is one of its rules.
//
// After a mistake the parser goes on behind the next ';' or at the next '}', so that one
// run reports several. It terminates on any input, because each round takes a token.
#pragma once

#include "model/syntax.h"

namespace heddle::model {

// The tree; it is only good if nothing was reported.
syntax::Program parse(const SourceText& source, Diagnostics& diagnostics);

}  // namespace heddle::model
