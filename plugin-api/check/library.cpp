// SPDX-License-Identifier: Apache-2.0
#include "library.hpp"

#include <dlfcn.h>

namespace skillhost::check {

OpenedLibrary openLibrary(const std::string &path) {
  const auto reason = [] {
    const char *const text = ::dlerror();
    return std::string(text == nullptr ? "dlopen() gives no reason" : text);
  };
  void *const handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle == nullptr) return {nullptr, reason()};
  const void *const entry = ::dlsym(handle, SKH_ENTRY_SYMBOL);
  if (entry == nullptr) return {nullptr, reason()};
  return {static_cast<const skh_entry *>(entry), {}};
}

std::vector<const skh_plugin *> knownPlugins(const skh_entry &entry) {
  std::vector<const skh_plugin *> known;
  for (const skh_plugin *const *plugin = entry.plugins; *plugin != nullptr; ++plugin)
    for (const std::string_view kind :
         {sourceKind, searchKind, authKind, toolsKind, stateKind, observerKind, httpKind})
      if (isKind(**plugin, kind)) known.push_back(*plugin);
  return known;
}

} // namespace skillhost::check
