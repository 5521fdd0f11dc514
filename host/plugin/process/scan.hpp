// SPDX-License-Identifier: Apache-2.0
// Looking into a plugin file that nobody has vouched for: in a confined child, which loads it and
// says what it found.
#pragma once

#include "process/facts.hpp"

#include <string>
#include <vector>

namespace skillhost::process {

struct Scan {
  std::vector<PluginFacts> plugins;
  std::string refusal;  // why the file cannot be used; empty: it can
  bool crashed = false; // the child did not live to say; the refusal says how it ended
};

// Runs `program` as plugin-scan, 10 seconds at most, on the calling thread. With a `copy`, the
// descriptor of a PluginCopy, that is looked into in place of the file.
Scan scanInChild(const std::string &program, const std::string &file, int copy = -1);

// The child's part: loads `file` and writes one JSON object to descriptor 3, or to standard output
// when there is none. Exit code 0 whatever was found. `host` ends it with its own end; 0: none.
// `copied`: descriptor 4 is a copy of the file, to be looked into in its place.
int scanHere(const std::string &file, pid_t host, bool copied);

// The JSON between the two, which the cache keeps too. Reading never fails: what cannot be read is
// a refusal.
std::string toJson(const Scan &scan);
Scan scanFromJson(const std::string &text);

} // namespace skillhost::process
