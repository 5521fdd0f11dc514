// SPDX-License-Identifier: Apache-2.0
// Confines a process with a third-party plugin by means of the kernel. It must run before any code
// of the plugin, while the process has one thread, and cannot be undone.
#pragma once

#include "plugin_calls/isolation.hpp"

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost::process {

struct Confinement {
  std::vector<std::string> mayRead; // absolute paths of files, or of folders with everything below
  std::string mayWrite;             // folder for reading and writing; empty: none
  std::uint64_t memoryBytes = 0;    // limit of address space; 0: no limit
  std::uint64_t fileBytes = 0;      // limit of each file that it writes; 0: no limit
  bool network = false;             // may open sockets
  // Supplies each socket if the process may not open any itself; -1: none.
  int socketSupply = -1;
  pid_t parent = 0; // its end ends this process
};

struct Confined {
  bool complete = true;         // the kernel supports everything
  std::string text;             // such as "landlock 7, seccomp, limits", or what is missing
  std::string refusal;          // reason why no foreign code may run here; empty: it may
  bool suppliesSockets = false; // each socket comes from Confinement::socketSupply
};

Confined confine(const Confinement &wanted);

// Returns the confinement for the process of a plugin.
Confinement confinementOf(const PluginProcess &process);

// Confines the files that the process may open. The text is "landlock 7" or the reason why it
// failed. confine() calls this and the following functions.
Confined confineFiles(const Confinement &wanted);
bool confinesFiles(); // true if the kernel has Landlock
Confined confineCalls(bool network);
// Drops all capabilities. If the process is root, it also becomes another user, who gets the
// writable folder. filesAreConfined: Landlock decides which files it may read.
Confined dropPrivileges(const Confinement &wanted, bool filesAreConfined);
// Returns the reason why a process that this one starts as root could not be confined in this way,
// or could not open its files; empty if no obstacle is known. Changes nothing.
std::string whyNotAsRoot(const Confinement &wanted);
enum class Access : std::uint8_t { Read, Search };
// Returns the first file or folder on the way to `path`, links followed, whose mode keeps out a
// user who owns nothing and is in no group. `access` is what this user needs at `path` itself.
// Returns nothing if there is none, or if `path` does not exist.
std::string closedToOthers(const std::string &path, Access access);
// Sends the listener of its filter on `supply` and closes `supply`. Sets suppliesSockets if the
// host has received it.
Confined confineSockets(int supply);

// Returns every absolute path and every file:// URL among the strings of a JSON document.
std::vector<std::string> pathsIn(const std::string &json);

} // namespace skillhost::process
