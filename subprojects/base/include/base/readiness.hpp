// SPDX-License-Identifier: Apache-2.0
// How a part of the server adds to the answer of /readyz.
#pragma once

#include "ground/json.hpp"

#include <functional>

namespace skillhost {

struct Readiness {
  bool isDegraded = false;       // the server serves, and says that something is wrong
  Json details = Json::object(); // members of the answer, for callers who may see them
};

// Any thread; must not wait.
using ReadinessReport = std::function<Readiness()>;

} // namespace skillhost
