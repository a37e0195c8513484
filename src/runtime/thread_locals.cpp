#include "runtime/thread_locals.h"

#include <link.h>

#include "runtime/event_log.h"

namespace heddle::runtime {
namespace {

int tell_those_of_module(dl_phdr_info* info, std::size_t, void* data) {
  const auto& self = *static_cast<const Thread*>(data);
  if (info->dlpi_tls_data == nullptr) return 0;
  std::uint64_t module = ~std::uint64_t{0};
  std::uint64_t size = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    const std::uint64_t start = info->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_TLS) size = segment.p_memsz;
    if (segment.p_type == PT_LOAD && start < module) module = start;
  }
  const auto low = reinterpret_cast<std::uint64_t>(info->dlpi_tls_data);
  // When the first thread begins, no module has said yet whether it is instrumented.
  if (self.id != 0 && !in_instrumented_module(module)) return 0;
  event_log.define_thread_locals(self, low, low + size, module);
  return 0;
}

}  // namespace

void tell_thread_locals(const Thread& self) {
  if (event_log.emits()) ::dl_iterate_phdr(tell_those_of_module, const_cast<Thread*>(&self));
}

}  // namespace heddle::runtime
