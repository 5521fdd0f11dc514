// SPDX-License-Identifier: Apache-2.0
// What the process of a check may do: as much as one that runs the plugin for a host, or
// everything.
#pragma once

#include "check/check.hpp"
#include "ground/child_process.hpp"

#include <string>
#include <vector>

namespace skillhost::check {

// On its way to the process, as words of its command line.
struct Bounds {
  bool trusted = false; // nothing is kept from it
  bool sockets = false; // the plugin says that it needs them
  std::vector<std::string> mayRead;

  std::vector<std::string> words() const;
  // False for words that words() did not write.
  static bool read(const std::vector<std::string> &words, std::size_t from, Bounds &to);
};

inline Program::Environment environmentOf(const Bounds &bounds) {
  return bounds.trusted ? Program::Environment::Ours : Program::Environment::WithoutSecrets;
}

// Confines this process by `confine`, unless it is trusted: before any code of the plugin, with one
// thread. What came of it is written to `told`, which is closed, so that no plugin can say
// something else. Throws Ending when no foreign code may run here.
void keepWithin(const Bounds &bounds, Confine confine, const std::string &plugin,
                const std::string &configuration, const std::string &cacheDirectory, int told);

// The parent's side.
class ConfinementReport {
public:
  ConfinementReport();                                             // throws std::runtime_error
  int descriptor() const noexcept { return pipe_.write.number(); } // to be lent
  // Once the process has ended.
  void read();
  std::string text;     // "landlock 7, limits, seccomp"; empty: nothing was confined
  bool complete = true; // the kernel had every part of it

private:
  Pipe pipe_;
};

} // namespace skillhost::check
