// SPDX-License-Identifier: Apache-2.0
// The rights of a check's process: those of a process that runs the plugin for a host, or
// everything.
#pragma once

#include "check/check.hpp"
#include "ground/child_process.hpp"

#include <string>
#include <vector>

namespace skillhost::check {

// Passed to the process as words of its command line.
struct Bounds {
  bool trusted = false; // the process is not confined
  bool sockets = false; // the plugin declares that it needs sockets
  std::vector<std::string> mayRead;

  std::vector<std::string> words() const;
  // Returns false if the words do not come from words().
  static bool read(const std::vector<std::string> &words, std::size_t from, Bounds &to);
};

inline Program::Environment environmentOf(const Bounds &bounds) {
  return bounds.trusted ? Program::Environment::Ours : Program::Environment::WithoutSecrets;
}

// Confines this process with `confine`, unless it is trusted. Must be called before any code of the
// plugin runs, with one thread. The result is written to `told`, which is then closed, so that no
// plugin can write another one. Throws Ending if foreign code may not run here.
void keepWithin(const Bounds &bounds, Confine confine, const std::string &plugin,
                const std::string &configuration, const std::string &cacheDirectory, int told);

// The parent's side of the report.
class ConfinementReport {
public:
  ConfinementReport();                                             // throws std::runtime_error
  int descriptor() const noexcept { return pipe_.write.number(); } // to be lent to the process
  // Must be called after the process has ended.
  void read();
  std::string text;     // "landlock 7, limits, seccomp"; empty: nothing was confined
  bool complete = true; // the kernel supports all parts

private:
  Pipe pipe_;
};

} // namespace skillhost::check
