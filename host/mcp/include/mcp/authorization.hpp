// SPDX-License-Identifier: Apache-2.0
// Nobody reaches a handler unknown, or without the scopes that it needs.
#pragma once

#include "access/permissions.hpp"
#include "ground/json.hpp"
#include "ground/secret.hpp"
#include "mcp/call.hpp"
#include "rpc/message.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace skillhost {

class Access;
class OwnResources;
class OwnTools;

// Takes the access token out of a message on stdio, where no header carries it: `access_token` of
// params, or of params._meta. Empty: there is none.
Secret takeAccessToken(Message &message);

// Runs `proceed` when the call may begin: at once or, when its token has to be asked about, on a
// thread of the provider. Else answers the call. Over HTTP the principal has been found before; on
// stdio the token is the call's own.
void authorize(const CallPointer &call, std::function<void()> proceed);

// Returns the permission that a request needs, from the tables of methods, tools and resources. An
// unknown method needs Read. `params` is an object.
Need needOf(const OwnTools &tools, const OwnResources &resources, std::string_view method,
            const Json &params);

// On stdio: who it is that has started the program.
std::string localPeer();

// Whether who calls may hear what is for the operator alone.
bool mayManage(const Access *access, const PrincipalPointer &principal);
bool mayManage(const Call &call);

// The failure as the caller may hear it: sources and plugins name files of this machine in their
// reasons, and those are for callers who may manage the server, unless the request itself has named
// the path. The log has the reason.
Failure failureForCaller(const Call &call, const Failure &failure);

} // namespace skillhost
