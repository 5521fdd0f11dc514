// SPDX-License-Identifier: Apache-2.0
// The contribution of a part of the server to the answer of /readyz.
#pragma once

#include "ground/json.hpp"

#include <functional>

namespace skillhost {

struct Readiness {
  bool isDegraded = false;       // the server serves, but reports a problem
  Json details = Json::object(); // members of the answer, for callers who may see them
};

// May be called on any thread and must not wait.
using ReadinessReport = std::function<Readiness()>;

} // namespace skillhost
