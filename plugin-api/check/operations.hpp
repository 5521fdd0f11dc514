// SPDX-License-Identifier: Apache-2.0
// What can be asked of an instance at any time, whatever its kind: for the checks that are about
// calls as such.
#pragma once

#include "instance.hpp"

#include <functional>
#include <string>
#include <vector>

namespace skillhost::check {

struct Answer {
  skh_status status = SKH_FAILED;
  std::string fault; // what is wrong with a result that came with SKH_OK
};

struct Operation {
  std::string name; // "read() of pdf/SKILL.md"
  // Valid while the instance is; may overlap others. Compares the result with what an undisturbed
  // call gave.
  std::function<Answer(const StandInCall &)> run;
  // Whether a call with nothing in its way must succeed.
  bool succeeds = true;
};

// Calls the plugin to prepare them: fills an index, lists.
std::vector<Operation> operationsOf(Probe &probe, Instance &instance);

// Runs `body` on an instance of every plugin in the file that is of a known kind.
void eachKnownInstance(Probe &probe, const std::function<void(Instance &)> &body);

} // namespace skillhost::check
