// SPDX-License-Identifier: Apache-2.0
// The methods of the protocol, one function each; methods/ has one file for each family of methods.
#pragma once

#include "mcp/call.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// The host's only resource template (RFC 6570).
inline constexpr std::string_view skillTemplate = "skill://{source}/{+path}";

} // namespace skillhost

namespace skillhost::methods {

// Returns the names of all methods, sorted.
std::vector<std::string_view> names();

void initialize(const CallPointer &call);
void ping(const CallPointer &call);
void discover(const CallPointer &call);

void listTools(const CallPointer &call);
void callTool(const CallPointer &call);

void listResources(const CallPointer &call);
void listResourceTemplates(const CallPointer &call);
void readResource(const CallPointer &call);
void subscribeResource(const CallPointer &call);
void unsubscribeResource(const CallPointer &call);

void listPrompts(const CallPointer &call);
void getPrompt(const CallPointer &call);
void complete(const CallPointer &call);

void setLogLevel(const CallPointer &call);
void listenToSubscriptions(const CallPointer &call);

void listSkills(const CallPointer &call);
void getSkill(const CallPointer &call);
void readDirectory(const CallPointer &call);

void olderListTools(const CallPointer &call);
void olderCallTool(const CallPointer &call);

} // namespace skillhost::methods
