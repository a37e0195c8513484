// The whole program behind main().
#pragma once

namespace heddle {

int run(int argc, const char* const* argv);

}  // namespace heddle
