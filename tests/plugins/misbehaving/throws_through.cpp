// SPDX-License-Identifier: Apache-2.0
// Written against plugin.h without its C++ wrapper, and against its rules: list() throws, through a
// function type that is noexcept. Nobody can catch that; it is a crash.
#include <skillhost/plugin.h>

#include <stdexcept>

namespace {

skh_status list(void *, const skh_call *, const skh_documents *) {
  throw std::runtime_error("out of the plugin");
}
skh_status read(void *, const skh_call *, const skh_document *, const skh_bytes *) {
  throw std::runtime_error("out of the plugin");
}
skh_status create(const skh_host *, const skh_call *, void **self) noexcept {
  static char instance;
  *self = &instance;
  return SKH_OK;
}
void destroy(void *) noexcept {}

// The cast hides the fault: the compiler would refuse the functions without it.
const skh_source source = {sizeof(skh_source), 0,
                           reinterpret_cast<decltype(skh_source::list)>(&list),
                           reinterpret_cast<decltype(skh_source::read)>(&read), nullptr};
const skh_plugin plugin = {sizeof(skh_plugin),
                           0,
                           "skh.source/1",
                           "test.misbehaving.throws_through",
                           "1.0.0",
                           "Misbehaves, for tests",
                           "Apache-2.0",
                           nullptr,
                           &source,
                           &create,
                           &destroy,
                           nullptr};
const skh_plugin *const plugins[] = {&plugin, nullptr};

} // namespace

extern "C" SKH_EXPORT const skh_entry skh_plugin_entry_v1 = {SKH_MAGIC, sizeof(skh_entry),
                                                             SKH_ABI_MINOR, 0, plugins};
