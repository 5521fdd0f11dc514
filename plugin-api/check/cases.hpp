// SPDX-License-Identifier: Apache-2.0
// Every check there is: one function, in a file of its name below cases/.
#pragma once

#include "probe.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace skillhost::check {

// Each returns when nothing is wrong, and throws Ending when something is.
void checkElf(Probe &probe);
void checkLoad(Probe &probe);
void checkEntry(Probe &probe);
void checkCreate(Probe &probe);
void checkList(Probe &probe);
void checkRead(Probe &probe);
void checkFacts(Probe &probe);
void checkPin(Probe &probe);
void checkCancel(Probe &probe);
void checkDeadline(Probe &probe);
void checkThreads(Probe &probe);
void checkOldHost(Probe &probe);
void checkUnknownExtension(Probe &probe);
void checkSearch(Probe &probe);
void checkHeld(Probe &probe);
void checkExplain(Probe &probe);
void checkAuth(Probe &probe);
void checkAuthOffline(Probe &probe); // the second part of auth
void checkTools(Probe &probe);
void checkState(Probe &probe);
void checkObserver(Probe &probe);

// The credential that auth gives out: it is to be found nowhere afterwards.
constexpr std::string_view canary = "canary-7Qm4xZ9rT2vK8pLw";

struct Case {
  std::string_view name;
  void (*run)(Probe &);
  std::vector<std::string_view> needs; // checks without whose success this one means nothing
  bool offline = false;                // in a process that reaches nobody
};

// In the order in which they are run.
std::span<const Case> allCases();
constexpr std::string_view authOffline = "auth-offline"; // none of them: what auth ends with
const Case *findCase(std::string_view name);

} // namespace skillhost::check
