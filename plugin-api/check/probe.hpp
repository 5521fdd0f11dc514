// SPDX-License-Identifier: Apache-2.0
// Probe: what a check has in its own process, and how it says what it found.
#pragma once

#include "board.hpp"
#include "check/check.hpp"
#include "library.hpp"

#include <string>
#include <string_view>

namespace skillhost::check {

// A check ends at its first fault by throwing this: nothing that follows could be believed.
struct Ending {
  Verdict verdict = Verdict::Failed;
  std::string found, advice;
  bool blocks = true; // whether checks that need this one are skipped
};

[[noreturn]] void fail(std::string found, std::string advice = {});
// Blocks like a fault.
[[noreturn]] void skip(std::string why);
// There is nothing here that the check is about.
[[noreturn]] void doesNotApply(std::string why);

class Probe {
public:
  Probe(Board &board, std::string path);

  const std::string &path() const noexcept { return path_; }
  // For create(): what was given, else {}.
  const std::string &configuration() const noexcept { return configuration_; }
  bool configured() const noexcept { return configured_; }
  const std::string &cacheDirectory() const noexcept { return cacheDirectory_; }

  // What comes next, in words that follow "in": should it never end, the verdict names it.
  void step(std::string_view what) noexcept;
  // The first one counts; the check goes on.
  void warn(std::string found, std::string advice = {});
  // What to say when nothing is wrong; the last one counts.
  void note(std::string found) { ending_.found = std::move(found); }

  // For the parent, which grants accordingly.
  void setNeedsSockets(bool needs) noexcept;
  void setReachesOthers() noexcept;
  // Whether the network was taken away from this process.
  bool offline() const noexcept { return offline_; }
  void setOffline(bool offline) noexcept { offline_ = offline; }

  // The entry, which has passed its own check. Throws Ending otherwise.
  const skh_entry &entry();
  // As it stands: warnings and the note.
  Ending ending() const;

private:
  Board &board_;
  const std::string path_;
  std::string configuration_, cacheDirectory_;
  bool configured_, offline_ = false;
  const skh_entry *entry_ = nullptr;
  Ending ending_{Verdict::Ok, {}, {}, false};
  Ending warning_{Verdict::Ok, {}, {}, false};
};

} // namespace skillhost::check
