// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"

#include <algorithm>

namespace skillhost::check {

std::span<const Case> allCases() {
  static const std::vector<Case> cases{
      {"elf", &checkElf, {}},
      {"load", &checkLoad, {"elf"}},
      {"entry", &checkEntry, {"load"}},
      {"create", &checkCreate, {"entry"}},
      {"list", &checkList, {"create"}},
      {"read", &checkRead, {"list"}},
      {"facts", &checkFacts, {"list"}},
      {"pin", &checkPin, {"list"}},
      {"filter", &checkFilter, {"list"}},
      {"search", &checkSearch, {"create"}},
      {"held", &checkHeld, {"search"}},
      {"explain", &checkExplain, {"search"}},
      {"auth", &checkAuth, {"create"}},
      {"tools", &checkTools, {"create"}},
      {"state", &checkState, {"create"}},
      {"observer", &checkObserver, {"create"}},
      {"http", &checkHttp, {"create"}},
      {"cancel",
       &checkCancel,
       {"list", "read", "search", "auth", "tools", "state", "observer", "http"}},
      {"deadline", &checkDeadline, {"cancel"}},
      {"threads", &checkThreads, {"cancel"}},
      {"old-host",
       &checkOldHost,
       {"list", "read", "search", "auth", "tools", "state", "observer", "http"}},
      {"unknown-ext", &checkUnknownExtension, {"create"}},
  };
  return cases;
}

const Case *findCase(std::string_view name) {
  static const Case offline{authOffline, &checkAuthOffline, {}, true};
  if (name == authOffline) return &offline;
  const std::span<const Case> cases = allCases();
  const auto found =
      std::find_if(cases.begin(), cases.end(), [&](const Case &one) { return one.name == name; });
  return found == cases.end() ? nullptr : &*found;
}

} // namespace skillhost::check
