// SPDX-License-Identifier: Apache-2.0
// One operation of a plugin, run in a process of its own for the person who writes it.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace skillhost::check {

struct TrialEntry {
  std::string id, name, description, body;
};

struct Trial {
  std::string program, plugin; // absolute paths: of skillhost itself, and of the .so
  std::string configuration;   // a JSON object
  std::string operation;       // list, read, query, validate
  std::vector<std::string> arguments;
  std::string resource;            // for validate: the URI the token is meant for, or empty
  std::vector<TrialEntry> entries; // what query searches in
  std::chrono::milliseconds deadline{10'000};
  bool trusted = false;             // confine nothing, keep the environment
  std::vector<std::string> mayRead; // absolute paths besides those of the configuration
};

// Prints what came back to standard output, and why nothing did to standard error. What the plugin
// itself prints or logs is on standard error. The exit code: 0 when it said SKH_OK, else 1. Throws
// std::runtime_error when no process can be started.
int tryPlugin(const Trial &trial);

} // namespace skillhost::check
