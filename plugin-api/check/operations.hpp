// SPDX-License-Identifier: Apache-2.0
// Operations that are possible at any time for an instance of any kind, for checks that concern
// calls in general.
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
  // Valid as long as the instance, and may overlap others. Compares the result with that of an
  // undisturbed call.
  std::function<Answer(const StandInCall &)> run;
  // True if an undisturbed call must succeed.
  bool succeeds = true;
};

// Calls the plugin to prepare the operations: fills an index, lists documents.
std::vector<Operation> operationsOf(Probe &probe, Instance &instance);

// Calls `body` with an instance of every plugin in the file whose kind is known.
void eachKnownInstance(Probe &probe, const std::function<void(Instance &)> &body);

} // namespace skillhost::check
