// SPDX-License-Identifier: Apache-2.0
// The resources skillhost://NAME, which describe the server as JSON to callers who may manage it.
#pragma once

#include "access/permissions.hpp"
#include "ground/json.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

class Call;
using CallPointer = std::shared_ptr<Call>;

struct OwnResource {
  std::string uri;    // if it ends with a slash, the resource has every URI that begins with it
  std::string listed; // its JSON object in resources/list; empty: it is in no list
  Permission need = Permission::Manage; // for resources/read and resources/subscribe
  // Answers the call, which asks for `uri`, on any thread: with answerOwnResource(), or with a
  // failure.
  std::function<void(const CallPointer &call, const std::string &uri)> read;
  // Keeps `listener` and calls it whenever the resource has changed, on any thread. Called once,
  // when the server is made. If it is empty, clients cannot subscribe to the resource. Only a
  // listed resource has it.
  std::function<void(std::function<void()> listener)> onChange{};
};

// The table of these resources. Immutable after construction, so any thread may use it.
class OwnResources {
public:
  // Makes a table of the resources of the server itself and, after them, `ofFeatures`.
  explicit OwnResources(std::vector<OwnResource> ofFeatures = {});

  // Returns the resources that are in a list, in the order of resources/list, after the skills.
  std::span<const OwnResource> listed() const noexcept { return listed_; }
  // Returns null if no resource has that URI.
  const OwnResource *find(std::string_view uri) const;

private:
  std::vector<OwnResource> listed_, unlisted_;
};

// Answers with `data`, and tells the client not to cache it. Bytes in it that are no UTF-8 are
// replaced.
void answerOwnResource(const CallPointer &call, std::string_view uri, const Json &data);
// Returns true if an auth plugin has identified the caller. Without one, an agent may be the
// caller, and could read about skills that are withheld from agents.
bool isKnown(const Call &call);

} // namespace skillhost
