// SPDX-License-Identifier: Apache-2.0
// Which clients are hosts of agents, by the names they give themselves.
#pragma once

#include "ground/json.hpp"
#include "rpc/envelope.hpp"

#include <cstddef>
#include <string_view>

namespace skillhost {

// The name of a client as it says it: the `name` of a clientInfo object; empty when there is none.
std::string_view clientName(const Json &members, const char *key);

// True if a client of that name is the host of an agent. Other programs, clients that are not known
// and clients without a name are not.
bool isAgentHost(std::string_view name);

// Returns the form that a client of that name is sent when nobody has decided it: text for hosts,
// which give a model one form, the other or both; both forms for programs and unknown clients.
// doc/clients.md says what each of the hosts does.
ResultForm resultFormFor(std::string_view name);

// Returns how many characters of a tool's result a client of that name shows its model. The rest
// would be lost, or be in a file that the model has to look for. `declared` is the number that the
// tool's definition states; it counts for clients that obey it. Cutting after as many bytes is
// safe: no character has less than one.
std::size_t shownCharacters(std::string_view name, std::size_t declared);

} // namespace skillhost
