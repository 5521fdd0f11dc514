// SPDX-License-Identifier: Apache-2.0
// Probe: the state of a check in its process, and its means to report results.
#pragma once

#include "board.hpp"
#include "check/check.hpp"
#include "library.hpp"

#include <string>
#include <string_view>

namespace skillhost::check {

// A check throws this at its first fault, because later results would be unreliable.
struct Ending {
  Verdict verdict = Verdict::Failed;
  std::string found, advice;
  bool blocks = true; // checks that need this one are skipped
};

[[noreturn]] void fail(std::string found, std::string advice = {});
// Skips the check, and like a fault the checks that need it.
[[noreturn]] void skip(std::string why);
// Reports that the file has nothing to which the check applies.
[[noreturn]] void doesNotApply(std::string why);

class Probe {
public:
  Probe(Board &board, std::string path);

  const std::string &path() const noexcept { return path_; }
  // Configuration for create(): the given one, or {}.
  const std::string &configuration() const noexcept { return configuration_; }
  bool configured() const noexcept { return configured_; }
  const std::string &cacheDirectory() const noexcept { return cacheDirectory_; }

  // Sets the next step, in words that follow "in". If it never ends, the verdict names it.
  void step(std::string_view what) noexcept;
  // Records a warning and continues. Only the first warning counts.
  void warn(std::string found, std::string advice = {});
  // Sets the text for a check without faults. The last call counts.
  void note(std::string found) { ending_.found = std::move(found); }

  // These report to the parent, which grants rights accordingly.
  void setNeedsSockets(bool needs) noexcept;
  void setReachesOthers() noexcept;
  // True if the network was taken away from this process.
  bool offline() const noexcept { return offline_; }
  void setOffline(bool offline) noexcept { offline_ = offline; }

  // Loads the file with dlopen() at the first call, and returns its entry. Throws Ending if the
  // file cannot be loaded or has no entry.
  const skh_entry &loadEntry();
  // Returns the result so far, with warnings and the note.
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
