// SPDX-License-Identifier: Apache-2.0
// Knows which clients are hosts of agents, by the names that they give themselves.
#pragma once

#include "ground/json.hpp"
#include "rpc/envelope.hpp"

#include <cstddef>
#include <string_view>

namespace skillhost {

// Returns the client's name as it states it: the `name` of a clientInfo object; empty if there is
// none.
std::string_view clientName(const Json &members, const char *key);

// True if a client of that name is the host of an agent. Other programs, clients that are not known
// and clients without a name are not.
bool isAgentHost(std::string_view name);

// Returns the form for a client of that name if nobody has configured it: text for hosts, which
// give a model one form, the other or both; both forms for programs and unknown clients.
// doc/clients.md says what each of the hosts does.
ResultForm resultFormFor(std::string_view name);

// Returns how many characters of a tool's result a client of that name shows its model. The rest
// would be lost, or be in a file that the model has to search for. `declared` is the number in the
// tool's definition; it counts for clients that obey it. Cutting after as many bytes is safe,
// because every character has at least one.
std::size_t shownCharacters(std::string_view name, std::size_t declared);

} // namespace skillhost
