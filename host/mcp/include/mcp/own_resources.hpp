// SPDX-License-Identifier: Apache-2.0
// The resources skillhost://NAME: what the server tells of itself to those who manage it, as JSON.
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
  // One that ends with a slash stands for every URI that begins with it.
  std::string uri;
  std::string listed; // the JSON object that resources/list has of it; empty: it is in no list
  Need need = Need::Manage; // of resources/read and resources/subscribe
  // Answers the call, which asks for `uri`, on any thread: with answerOwnResource, or with a
  // failure.
  std::function<void(const CallPointer &call, const std::string &uri)> read;
  // Keeps the listener, and calls it whenever the resource has changed; on any thread. Called once,
  // when the server is made. Empty: nobody can subscribe to it. Only one that is listed has it.
  std::function<void(std::function<void()> listener)> onChange{};
};

// The table of them, which never changes. Any thread.
class OwnResources {
public:
  // Has those of the server itself, and after them `further`, which features bring.
  explicit OwnResources(std::vector<OwnResource> further = {});

  // Returns those that are in a list, in the order of resources/list, after the skills.
  std::span<const OwnResource> listed() const noexcept { return listed_; }
  // Returns null if no resource has that URI.
  const OwnResource *find(std::string_view uri) const;

private:
  std::vector<OwnResource> listed_, unlisted_;
};

// `data` is out of date at once. What of it is no UTF-8 is replaced.
void answerOwnResource(const CallPointer &call, std::string_view uri, const Json &data);
// Whether an auth plugin says who it is that asks. Where nobody is asked, an agent would read of
// what is withheld from it.
bool isKnown(const Call &call);

} // namespace skillhost
