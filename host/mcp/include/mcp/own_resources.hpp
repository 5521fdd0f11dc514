// SPDX-License-Identifier: Apache-2.0
// The resources skillhost://NAME: what the server tells of itself to those who manage it, as JSON.
#pragma once

#include "access/permissions.hpp"
#include "mcp/call.hpp"

#include <span>
#include <string_view>

namespace skillhost {

// The one that can be subscribed to.
inline constexpr std::string_view reviewsUri = "skillhost://reviews";

struct OwnResource {
  std::string_view uri;
  std::string_view listed; // the JSON object that resources/list has of it
  Need need;               // of resources/read and resources/subscribe
  // Answers the call, on any thread: with answerOwnResource, or with a failure.
  void (*read)(const CallPointer &call, const OwnResource &resource);
};

// In the order of resources/list, after the skills.
std::span<const OwnResource> ownResources();
// Null when the host has none of that URI; those of versions have one for all skills.
const OwnResource *ownResource(std::string_view uri);
// `data` is out of date at once. What of it is no UTF-8 is replaced.
void answerOwnResource(const CallPointer &call, std::string_view uri, const Json &data);
inline void answerOwnResource(const CallPointer &call, const OwnResource &resource,
                              const Json &data) {
  answerOwnResource(call, resource.uri, data);
}
// Whether an auth plugin says who it is that asks. Where nobody is asked, an agent would read of
// what is withheld from it.
bool isKnown(const Call &call);

} // namespace skillhost
