// SPDX-License-Identifier: Apache-2.0
// The validator: whether a plugin keeps the promises of plugin.h, each check in a process of its
// own, so that a crash or a hang is a verdict too; confined like one that runs the plugin for a
// host, so that a stranger's plugin can be checked before it is trusted.
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
  std::string advice; // what to do about it; may be empty
  std::chrono::milliseconds took{0};
};

struct Request {
  std::string program;           // absolute path of skillhost itself, which runs the checks
  std::string plugin;            // absolute path of the .so
  std::string configuration;     // JSON object for create(); empty: none was given
  std::vector<std::string> only; // names of checks; empty: all
  std::chrono::milliseconds limit{10'000}; // of each check
  bool trusted = false;                    // confine nothing, keep the environment
  std::vector<std::string> mayRead;        // absolute paths besides those of the configuration
};

struct Report {
  std::vector<Outcome> outcomes;
  std::string confinement; // of the processes; empty: nothing was confined
  bool confined = true;    // the kernel had every part of it
};

// In the order they are run.
std::vector<std::string_view> checkNames();

// Runs the checks one after another and tells `heard` of each as it ends. A check whose
// precondition failed is skipped; one that takes longer than `limit` is killed, and failed. Throws
// std::runtime_error when no process can be started.
Report checkPlugin(const Request &request, const std::function<void(const Outcome &)> &heard);

// A process that is about to load the plugin, and what became of it.
struct UnconfinedProcess {
  std::string plugin, configuration, cacheDirectory;
  std::vector<std::string> mayRead;
  std::uint64_t memoryBytes = 0; // of address space
  std::uint64_t fileBytes = 0;   // of each file that it writes
  bool sockets = false;
};
struct Confinement {
  bool complete = true; // the kernel had every part of it
  std::string text;     // what confines it
  std::string refusal;  // why no foreign code may run here; empty: it may
};
// Confines the calling process for good, as the host confines those that it runs plugins in.
using Confine = Confinement (*)(const UnconfinedProcess &);

// The other side: what skillhost does when it was started to run one check or to try one
// operation. `arguments` are those of the program; isChild() says whether they are meant for this.
bool isChild(const std::vector<std::string> &arguments) noexcept;
int runChild(const std::vector<std::string> &arguments, Confine confine);

} // namespace skillhost::check
