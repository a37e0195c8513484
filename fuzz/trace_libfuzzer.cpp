// libFuzzer's entry point: whatever the bytes are, every reader has to cope with them.
//
//   cmake --preset clang -DHEDDLE_SANITIZE=ON -DHEDDLE_LIBFUZZER=ON
//   build/clang/fuzz/trace_libfuzzer corpus/
#include <cstdint>

#include "fuzz/formats.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const heddle::fuzz::Format& format : heddle::fuzz::formats()) {
    const auto recovered = format.read(bytes);
    if (recovered.ok()) heddle::fuzz::check_sound(recovered->trace);
  }
  return 0;
}
