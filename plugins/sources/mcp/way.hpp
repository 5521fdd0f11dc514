// SPDX-License-Identifier: Apache-2.0
// The way of a skill: the servers that a chain of these sources has read it from. Each source
// states it as the fact "through", so that a source recognises a skill that its own server had
// before.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::mcp_source {

// Returns the name of a server in ways, derived from its address without the query. Replicas with
// equal configurations derive equal names.
std::string wayName(std::string_view address);

// Returns the way of a skill that the server `name` lists with the way `before`: names with a blank
// between them, the newest first. What is no name in `before` is left out.
std::string wayThrough(const std::string &name, std::string_view before);

// Returns true if the way has this name.
bool passes(std::string_view way, std::string_view name);

// A way with more names is too long: each of them may be a server that hides the loop.
constexpr std::size_t maxServersOfWay = 16;
std::size_t serversOf(std::string_view way);

} // namespace skillhost::mcp_source
