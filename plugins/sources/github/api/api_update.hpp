// SPDX-License-Identifier: Apache-2.0
// One look at a repository by GitHub's REST API, and the fetch when it has something else.
#pragma once

#include "settings.hpp"
#include "state_file.hpp"
#include "update.hpp"

#include "api/budget.hpp"

namespace skillhost::github {

// As update(). A look is one request, which costs nothing of the budget when nothing is new. What
// `known` names is in the store, or its commit is "".
Update updateByApi(const Settings &settings, const Access &access, const State &known,
                   ObjectStore &store, Budget &budget, remote::Operation &operation);

} // namespace skillhost::github
