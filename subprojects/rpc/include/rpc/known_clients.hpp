// SPDX-License-Identifier: Apache-2.0
// Knows clients by the names that they give themselves: which of them are hosts of agents, and how
// much of a tool's result they show to their model. doc/clients.md has the facts about each host.
#pragma once

#include "ground/json.hpp"
#include "rpc/envelope.hpp"

#include <cstddef>
#include <string_view>

namespace skillhost {

// Returns the name that the client states: members[key].name, where `key` is the name of the
// clientInfo object, which differs between revisions. Empty if there is none. The view lives as
// long as `members`.
std::string_view clientName(const Json &members, const char *key);

// Returns true if a client of that name is known to be the host of an agent. Returns false for
// other programs, unknown clients and an empty name.
bool isAgentHost(std::string_view name);

// Returns the default form of tool results for a client of that name. Hosts of agents get text,
// because they differ in which of the two forms, text or structured content, they show the model.
// Programs and unknown clients get both forms.
ResultForm resultFormFor(std::string_view name);

// Returns how many characters of a tool's result a client of that name shows to its model. The
// client drops the rest, or writes it to a file that the model has to search for. Some clients read
// the limit from the tool's definition; for them the result is `declared`, that limit. A text of so
// many bytes fits, too, because a character has at least one byte.
std::size_t shownCharacters(std::string_view name, std::size_t declared);

} // namespace skillhost
