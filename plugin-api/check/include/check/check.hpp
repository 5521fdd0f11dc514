// SPDX-License-Identifier: Apache-2.0
// The validator checks whether a plugin keeps the promises of plugin.h. Each check has a process of
// its own, so a crash or a hang is a verdict as well. The process is confined like one that runs
// the plugin for a host, so a stranger's plugin can be checked before it is trusted.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::check {

enum class Verdict : std::uint8_t { Ok, Warning, Failed, Skipped };

struct Outcome {
  std::string check;
  Verdict verdict = Verdict::Ok;
  std::string found;  // one sentence, UTF-8
  std::string advice; // how to correct it; may be empty
  std::chrono::milliseconds took{0};
  // It was skipped, although it may apply to the plugin: something that it needs is missing.
  bool wasPrevented = false;
};

struct Request {
  std::string program;                     // absolute path of skillhost, which runs the checks
  std::string plugin;                      // absolute path of the .so
  std::string configuration;               // JSON object for create(); empty: none
  std::vector<std::string> only;           // names of checks; empty: all
  std::chrono::milliseconds limit{10'000}; // limit of each check
  bool trusted = false;                    // do not confine, and keep the environment
  // Absolute paths in addition to those in the configuration.
  std::vector<std::string> mayRead;
};

struct Report {
  std::vector<Outcome> outcomes;
  std::string confinement; // confinement of the processes; empty: they were not confined
  bool confined = true;    // the kernel supports all parts of it
};

// Returns the names in the order in which the checks are run.
std::vector<std::string_view> checkNames();

// Runs the checks one after the other and calls `onOutcome` after each. A check whose precondition
// failed is skipped. A check that takes longer than `limit` is killed and counts as failed. Throws
// std::runtime_error if no process can be started.
Report checkPlugin(const Request &request, const std::function<void(const Outcome &)> &onOutcome);

// A process that is about to load the plugin, before its confinement.
struct UnconfinedProcess {
  std::string plugin, configuration, cacheDirectory;
  std::vector<std::string> mayRead;
  std::uint64_t memoryBytes = 0; // limit of address space; 0: none
  std::uint64_t fileBytes = 0;   // limit of each file that it writes; 0: none
  bool sockets = false;
};
struct Confinement {
  bool complete = true; // the kernel supports all parts
  std::string text;     // description of the confinement
  std::string refusal;  // reason why foreign code may not run here; empty: it may
};
// Confines the calling process irrevocably, as the host confines processes for plugins.
using Confine = Confinement (*)(const UnconfinedProcess &);

// Runs one check or one trial operation in a child of skillhost. `arguments` are those of the
// program; isChild() returns true if they are meant for runChild().
bool isChild(const std::vector<std::string> &arguments) noexcept;
int runChild(const std::vector<std::string> &arguments, Confine confine);

} // namespace skillhost::check
