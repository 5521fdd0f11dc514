// SPDX-License-Identifier: Apache-2.0
// Reads the section `inbox` of the configuration.
#pragma once

#include "app/configuration.hpp"
#include "inbox/inbox.hpp"

#include <optional>

namespace skillhost::inbox {

// Returns nothing if nobody can propose. Throws std::runtime_error that names the wrong key.
std::optional<InboxSettings> inboxSettings(const app::Configuration &configuration);

} // namespace skillhost::inbox
