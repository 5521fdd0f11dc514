// SPDX-License-Identifier: Apache-2.0
// Checks callers, so that no unknown one and none without the needed scopes reaches a handler.
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
struct Services;

// Takes the access token out of a message on stdio, where no header carries it: `access_token` of
// params, or of params._meta. Empty if there is none.
Secret takeAccessToken(Message &message);

// Runs `proceed` if the call may begin: at once or, if its token must be validated, on a thread of
// the provider. Otherwise answers the call. Over HTTP the principal has been found before; on stdio
// the token comes with the call.
void authorize(const CallPointer &call, std::function<void()> proceed);

// Returns the permission that a request needs, from the tables of methods, tools and resources. An
// unknown method needs Read. `params` is an object.
Permission neededPermission(const OwnTools &tools, const OwnResources &resources,
                            std::string_view method, const Json &params);

// Returns the same, and for what a plugin offers to this caller the permission that its list names,
// if the plugin has listed it already. Null: nobody is identified.
Permission neededPermission(const Services &services, const PrincipalPointer &principal,
                            std::string_view method, const Json &params);

// Runs `proceed` if the caller may use what a plugin offers with this permission; otherwise answers
// the call. authorize() has run before.
void permitPluginEntry(const CallPointer &call, Permission need,
                       const std::function<void()> &proceed);

// Returns the user who has started the program, as the peer of calls on stdio.
std::string localPeer();

// True if the caller may see what is for the operator alone.
bool mayManage(const Access *access, const PrincipalPointer &principal);
bool mayManage(const Call &call);

// Returns the failure as the caller may see it. Sources and plugins name files of this machine in
// their reasons, which are only for callers who may manage the server, unless the request itself
// has named the path. The log has the reason.
Failure failureForCaller(const Call &call, const Failure &failure);

} // namespace skillhost
