// SPDX-License-Identifier: Apache-2.0
// unknown-ext: a plugin must return NULL for extensions that it does not know.
#include "cases.hpp"
#include "operations.hpp"

#include <array>

namespace skillhost::check {

void checkUnknownExtension(Probe &probe) {
  constexpr std::array<const char *, 10> ids{
      "",       "/",        "x",          "org.example.nothing/1", "org.example.nothing/2",
      "skh./1", "skh.no/1", "skh.no/999", "4711.4711/4711",        "\xff\xfe"};
  probe.note("has no extensions");
  eachKnownInstance(probe, [&](Instance &instance) {
    if (!SKH_HAS(&instance.plugin, extension) || instance.plugin.extension == nullptr) return;
    for (const char *const id : ids) {
      probe.step("extension()");
      if (instance.plugin.extension(instance.self, id) != nullptr)
        fail(std::string("extension(\"") + (*id == '\xff' ? "" : id) +
                 "\") is not NULL: a host would call what is no such thing",
             "compare the whole id, and return NULL for every other");
    }
    probe.note("ten made-up ids answer NULL");
  });
}

} // namespace skillhost::check
