// SPDX-License-Identifier: Apache-2.0
// What every process does that loads a plugin nobody vouches for, be it to run it or to check it:
// one set of rules for both.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost {

struct PluginProcess {
  std::string file;                 // of the plugin, absolute: its folder may be read
  std::string config;               // JSON: the absolute paths in it may be read
  std::vector<std::string> mayRead; // absolute paths besides
  std::string cacheDirectory;       // may be read and written; empty: nothing may be written
  std::uint64_t memoryBytes = 0;    // of address space; 0: no limit
  std::uint64_t fileBytes = 0;      // of each file that it writes; 0: no limit
  bool network = false;             // the plugin says that it needs sockets
  pid_t host = 0;                   // with whose end this process ends; 0: with its parent's
};

struct PluginConfinement {
  bool complete = true; // the kernel had everything
  std::string text;     // "landlock 7, seccomp, limits", or what there is not
  std::string refusal;  // why no foreign code may run here; empty: it may
};

// Confines this process, for good: before the plugin's first code, while there is one thread.
PluginConfinement confinePlugin(const PluginProcess &process);

} // namespace skillhost
