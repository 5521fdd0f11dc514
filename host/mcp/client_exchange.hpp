// SPDX-License-Identifier: Apache-2.0
// The client behind a call, as a plugin may use it.
#pragma once

#include "mcp/call.hpp"
#include "plugin/tools.hpp"
#include "rpc/request_state.hpp"

#include <optional>

namespace skillhost {

// What the client of this call says that it can do: an object.
Json capabilitiesOf(const Call &call);

// With what the client has brought of an earlier round, opened for `binding`. Nothing when the call
// has failed because that is not in order.
std::optional<Exchange> exchangeOf(const CallPointer &call,
                                   const SignedRequestState::Binding &binding);

} // namespace skillhost
