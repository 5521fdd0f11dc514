// SPDX-License-Identifier: Apache-2.0
// Which clients are hosts of agents, by the names they give themselves.
#pragma once

#include "ground/json.hpp"
#include "runtime/envelope.hpp"

#include <cstddef>
#include <string_view>

namespace skillhost {

// The name of a client as it says it: the `name` of a clientInfo object; empty when there is none.
std::string_view clientName(const Json &members, const char *key);

// True if a client of that name is the host of an agent. Other programs, clients that are not known
// and clients without a name are not.
bool isAgentHost(std::string_view name);

// What is sent to a client of that name when nobody has decided it: text to hosts, which give a
// model one form, the other or both; both forms to programs and to clients that are not known.
// doc/clients.md says what each of the hosts does.
ResultForm resultFormFor(std::string_view name);

// How many characters of a tool's result a client of that name shows its model: the rest would be
// lost, or be in a file that the model has to look for. `declared` is what the tool's definition
// says, and counts for clients that obey it. Cutting after as many bytes is safe: no character has
// less than one.
std::size_t shownCharacters(std::string_view name, std::size_t declared);

} // namespace skillhost
