// SPDX-License-Identifier: Apache-2.0
// Runs one operation of a plugin in a process of its own, for the plugin's author.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace skillhost::check {

struct TrialEntry {
  std::string id, name, description, body;
};

struct Trial {
  std::string program, plugin; // absolute paths of skillhost and of the .so
  std::string configuration;   // a JSON object
  std::string operation;       // list, read, query, validate
  std::vector<std::string> arguments;
  // For validate: the URI for which the token is meant; may be empty.
  std::string resource;
  std::vector<TrialEntry> entries; // entries that query searches
  std::chrono::milliseconds deadline{10'000};
  bool trusted = false;             // do not confine, and keep the environment
  std::vector<std::string> mayRead; // absolute paths in addition to those in the configuration
};

// Prints the result to standard output, or the reason for a failure to standard error, where the
// plugin's own output and log also go. Returns exit code 0 if the plugin returned SKH_OK, otherwise
// 1. Throws std::runtime_error if no process can be started.
int tryPlugin(const Trial &trial);

} // namespace skillhost::check
