// SPDX-License-Identifier: Apache-2.0
// Makes a list of operations that an instance can perform at any time, whatever its kind. Checks of
// cancelling, deadlines and threads run them.
#pragma once

#include "instance.hpp"

#include <functional>
#include <string>
#include <vector>

namespace skillhost::check {

struct Answer {
  skh_status status = SKH_FAILED;
  std::string fault; // fault of a result that came with SKH_OK
};

struct Operation {
  std::string name; // "read() of pdf/SKILL.md"
  // Calls the plugin and compares the result with that of an earlier, undisturbed call. Valid as
  // long as the instance. Several threads may run operations at the same time.
  std::function<Answer(const StandInCall &)> run;
  // True if a call that is neither cancelled nor late must succeed.
  bool succeeds = true;
};

// Calls the plugin to prepare the operations: fills an index, lists documents.
std::vector<Operation> operationsOf(Probe &probe, Instance &instance);

// Calls `body` with an instance of every plugin in the file whose kind is known.
void eachKnownInstance(Probe &probe, const std::function<void(Instance &)> &body);

} // namespace skillhost::check
