// SPDX-License-Identifier: Apache-2.0
// Measures one server in one round.
#pragma once

#include "child.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace bench {

// A tool call under a name of this program, with the parameters that this server wants.
struct Operation {
  std::string name;       // "list", "load"
  std::string parameters; // the params of tools/call, a JSON object
};

struct Target {
  std::string name;
  std::string command;
  std::vector<Operation> operations; // in the order of the first calls
};

struct Plan {
  std::size_t rounds = 5;
  std::size_t warm = 200;         // calls before the clock counts
  std::size_t calls = 2000;       // sequential calls of each operation
  std::size_t pipelined = 20'000; // calls of the last operation, `depth` in flight
  std::size_t depth = 64;
  bool modern = false; // the protocol of 2026-07-28 instead of a handshake
  Placement placement;
};

// Values by measure. Times are in the unit of the measure's name.
using Sample = std::map<std::string, double>;

// Starts the server, measures it and ends it. Throws std::runtime_error when it answers with an
// error.
Sample measure(const Target &target, const Plan &plan);

// Returns the value below which `share` (0 to 1) of the values lie; 0 without values.
double quantile(std::vector<double> values, double share);

} // namespace bench
