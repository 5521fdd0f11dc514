// SPDX-License-Identifier: Apache-2.0
// The rights of a check's process: those of a process that runs the plugin for a host, or
// everything.
#pragma once

#include "check/check.hpp"
#include "ground/child_process.hpp"

#include <string>
#include <vector>

namespace skillhost::check {

// The parent passes it to the process as arguments of the command line.
struct Bounds {
  bool trusted = false; // the process is not confined
  bool sockets = false; // the plugin declares that it needs sockets
  std::vector<std::string>
      mayRead; // absolute paths that the process may read, besides the plugin's

  std::vector<std::string> toArguments() const;
  // Reads `bounds` from the arguments from index `first` on. Returns false if these were not made
  // by toArguments().
  static bool fromArguments(const std::vector<std::string> &arguments, std::size_t first,
                            Bounds &bounds);
};

inline Program::Environment environmentOf(const Bounds &bounds) {
  return bounds.trusted ? Program::Environment::Ours : Program::Environment::WithoutSecrets;
}

// Confines this process with `confine`, unless `bounds.trusted` is set. Must be called before any
// code of the plugin runs, while the process has one thread. Writes the report to
// `reportDescriptor` and closes it, so that the plugin cannot write another report. Throws Ending
// if foreign code may not run here.
void confineProcess(const Bounds &bounds, Confine confine, const std::string &plugin,
                    const std::string &configuration, const std::string &cacheDirectory,
                    int reportDescriptor);

// Receives, in the parent, the report that confineProcess() writes.
class ConfinementReport {
public:
  ConfinementReport(); // throws std::runtime_error
  // Returns the descriptor to which the process writes. The process must inherit it.
  int descriptor() const noexcept { return pipe_.write.number(); }
  // Sets the members below. Must be called after the process has ended.
  void read();
  std::string text;     // "landlock 7, limits, seccomp"; empty: nothing was confined
  bool complete = true; // the kernel supports all parts

private:
  Pipe pipe_;
};

} // namespace skillhost::check
