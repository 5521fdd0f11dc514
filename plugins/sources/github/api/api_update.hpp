// SPDX-License-Identifier: Apache-2.0
// Checks a repository through GitHub's REST API and fetches a new commit.
#pragma once

#include "settings.hpp"
#include "state_file.hpp"
#include "update.hpp"

#include "api/budget.hpp"

namespace skillhost::github {

// Does the same as update(). A check is one request, which costs nothing of the budget if nothing
// is new. The objects of `known` must be in the store, or its commit must be "".
Update updateByApi(const Settings &settings, const Access &access, const State &known,
                   ObjectStore &store, Budget &budget, remote::Operation &operation);

} // namespace skillhost::github
