// SPDX-License-Identifier: Apache-2.0
// What keeps a process with a third-party plugin from the rest of the machine, by the kernel's own
// means. Before the plugin's first code, while the process has one thread; for good.
#pragma once

#include "plugin/isolation.hpp"

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost::process {

struct Confinement {
  std::vector<std::string> mayRead; // files, or folders with all below; absolute
  std::string mayWrite;             // a folder that may be read and written; empty: none
  std::uint64_t memoryBytes = 0;    // of address space; 0: no limit
  std::uint64_t fileBytes = 0;      // of each file that it writes; 0: no limit
  bool network = false;             // may open sockets
  int socketSupply = -1;            // whom it asks for each, when it may not open any itself
  pid_t parent = 0;                 // with whose end this process ends
};

struct Confined {
  bool complete = true;         // the kernel had everything
  std::string text;             // "landlock 7, seccomp, limits", or what there is not
  std::string refusal;          // why no foreign code may run here; empty: it may
  bool suppliesSockets = false; // each comes from Confinement::socketSupply, or not at all
};

Confined confine(const Confinement &wanted);

// What the process of a plugin gets.
Confinement confinementOf(const PluginProcess &process);

// "landlock 7", or why not. Parts of confine().
Confined confineFiles(const Confinement &wanted);
bool confinesFiles(); // has the kernel what that takes?
Confined confineCalls(bool network);
// Takes all capabilities from this process, and makes it another user where it is root; the folder
// that it may write becomes that user's. filesAreConfined: Landlock decides what it may read.
Confined dropPrivileges(const Confinement &wanted, bool filesAreConfined);
// Why a process that this one starts could not be confined so, or could not open what it may, for
// what this one is as root; empty when it can, as far as this can tell. Changes nothing.
std::string whyNotAsRoot(const Confinement &wanted);
// The first file or folder on the way to `path`, its links followed, whose mode keeps out a user
// who owns nothing and is in no group; empty when there is none, or nothing at `path`.
enum class Access : std::uint8_t { Read, Search };
std::string closedToOthers(const std::string &path, Access access);
// Sends the listener of its filter on `supply`, which it closes; suppliesSockets when the host has
// it.
Confined confineSockets(int supply);

// Every absolute path, and every file:// URL, that stands as a text in a JSON document.
std::vector<std::string> pathsIn(const std::string &json);

} // namespace skillhost::process
