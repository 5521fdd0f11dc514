// SPDX-License-Identifier: Apache-2.0
// The resources skillhost://NAME describe the server to those who manage it, as JSON.
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
  // A URI that ends with a slash stands for every URI that begins with it.
  std::string uri;
  std::string listed; // its JSON object in resources/list; empty: it is in no list
  Permission need = Permission::Manage; // for resources/read and resources/subscribe
  // Answers the call, which asks for `uri`, on any thread: with answerOwnResource(), or with a
  // failure.
  std::function<void(const CallPointer &call, const std::string &uri)> read;
  // Keeps the listener, and calls it whenever the resource has changed, on any thread. Called once,
  // when the server is made. If it is empty, nobody can subscribe. Only a listed resource has it.
  std::function<void(std::function<void()> listener)> onChange{};
};

// The table of these resources. It never changes. Any thread.
class OwnResources {
public:
  // Has the resources of the server itself, and after them `further`, which features bring.
  explicit OwnResources(std::vector<OwnResource> further = {});

  // Returns the resources that are in a list, in the order of resources/list, after the skills.
  std::span<const OwnResource> listed() const noexcept { return listed_; }
  // Returns null if no resource has that URI.
  const OwnResource *find(std::string_view uri) const;

private:
  std::vector<OwnResource> listed_, unlisted_;
};

// Answers with `data`, which a client must not keep. Bytes in it that are no UTF-8 are replaced.
void answerOwnResource(const CallPointer &call, std::string_view uri, const Json &data);
// True if an auth plugin identifies callers. If none does, an agent could read about what is
// withheld from it.
bool isKnown(const Call &call);

} // namespace skillhost
