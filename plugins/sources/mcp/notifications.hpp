// SPDX-License-Identifier: Apache-2.0
// The notifications by which a server tells that its skills have changed.
#pragma once

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>

namespace skillhost::mcp_source {

constexpr std::size_t maxNotificationBytes = std::size_t{1} << 20U, maxNotificationDepth = 16;
// Notifications take some 200 bytes each, and comments that keep a connection open a few.
constexpr std::uint64_t maxNotificationBytesPerMinute = std::uint64_t{16} << 20U;
// The id of our request for notifications, in the later revisions.
constexpr const char *listenId = "listen";

// Returns true if the server can tell of changes.
bool offersNotifications(const Json &capabilities);
// Returns the request for notifications. `params` are those of every request.
Json listenRequest(const Json &params);
// Returns true for a notification that the list has changed.
bool tellsOfChange(const Json &message);

} // namespace skillhost::mcp_source
