// SPDX-License-Identifier: Apache-2.0
// Makes the client behind a call available to a plugin.
#pragma once

#include "mcp/call.hpp"
#include "plugin/tools.hpp"
#include "rpc/request_state.hpp"

#include <optional>

namespace skillhost {

// Returns the capabilities that the client of this call states, as an object.
Json capabilitiesOf(const Call &call);

// Makes the exchange, with the client's input from an earlier round, opened for `binding`. Returns
// nothing if the call has failed because that input is invalid.
std::optional<Exchange> exchangeOf(const CallPointer &call,
                                   const SignedRequestState::Binding &binding);

} // namespace skillhost
