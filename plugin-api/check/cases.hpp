// SPDX-License-Identifier: Apache-2.0
// Lists all checks: one function each, in a file of its name in cases/.
#pragma once

#include "probe.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace skillhost::check {

// Each function returns if nothing is wrong, and throws Ending otherwise.
void checkElf(Probe &probe);
void checkLoad(Probe &probe);
void checkEntry(Probe &probe);
void checkCreate(Probe &probe);
void checkList(Probe &probe);
void checkRead(Probe &probe);
void checkFacts(Probe &probe);
void checkPin(Probe &probe);
void checkFilter(Probe &probe);
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
void checkHttp(Probe &probe);

// Credential for the auth check. It must not appear anywhere afterwards.
constexpr std::string_view canary = "canary-7Qm4xZ9rT2vK8pLw";

struct Case {
  std::string_view name;
  void (*run)(Probe &);
  // Checks that must succeed first, because this one means nothing otherwise.
  std::vector<std::string_view> needs;
  bool offline = false; // runs in a process without a network
};

// Returns the checks in the order in which they are run.
std::span<const Case> allCases();
// Not in that list: the second part of auth.
constexpr std::string_view authOffline = "auth-offline";
const Case *findCase(std::string_view name);

} // namespace skillhost::check
