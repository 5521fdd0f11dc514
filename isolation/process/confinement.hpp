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
  // Unix socket to the host, which supplies each socket to a process that may open none itself. -1:
  // the process gets no sockets from the host.
  int socketSupply = -1;
  // The process that has started this one. If it has already ended, this process exits at once. 0:
  // this is not checked. The kernel kills this process in any case when its parent ends.
  pid_t parent = 0;
};

struct ConfinementResult {
  bool complete = true;         // all parts of the confinement are in effect
  std::string text;             // such as "landlock 7, seccomp, limits", or what is missing
  std::string refusal;          // reason why no foreign code may run here; empty: it may
  bool suppliesSockets = false; // each socket comes from Confinement::socketSupply
};

ConfinementResult confine(const Confinement &wanted);

// Returns the confinement for the process of a plugin.
Confinement confinementOf(const PluginProcess &process);

// The functions below are the parts of confine(). Each describes its part in `text`.

// Confines the files that the process may open. The text is "landlock 7" or the reason why it
// failed.
ConfinementResult confineFiles(const Confinement &wanted);
bool confinesFiles(); // true if the kernel has Landlock
ConfinementResult confineCalls(bool network);
// Drops the capabilities. A root process also becomes an unprivileged user, who then owns the
// writable folder. If file permissions keep this user out of a path that the process needs, the
// process keeps CAP_DAC_READ_SEARCH if it has it, but only if Landlock confines its files
// (`filesAreConfined`).
ConfinementResult dropPrivileges(const Confinement &wanted, bool filesAreConfined);
// If this process is root, returns the reason why it could not start a process with this
// confinement, or why that process could not open its files. Returns an empty text if no reason is
// known. Has no side effects.
std::string whyNotAsRoot(const Confinement &wanted);
enum class FileAccess : std::uint8_t { Read, Search };
// Returns the first file or folder along `path` or along the resolved path whose mode denies access
// to others. `access` is what they need at `path` itself; above it, they need the search
// permission. Returns an empty text if all modes grant it, or if `path` does not exist.
std::string firstPathClosedToOthers(const std::string &path, FileAccess access);
// Installs a seccomp filter for socket calls, sends the filter's listener to the host over
// `supply`, and closes `supply`. Sets suppliesSockets if the host has received the listener.
ConfinementResult confineSockets(int supply);

// Returns every absolute path and every file:// URL among the strings of a JSON document.
std::vector<std::string> absolutePathsIn(const std::string &json);

} // namespace skillhost::process
