// SPDX-License-Identifier: Apache-2.0
// The requests that a session has sent to its client and that are not answered yet. Only the legacy
// family has such requests.
#pragma once

#include "ground/result.hpp"
#include "mcp/call.hpp"
#include "rpc/message.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace skillhost {

// Any thread.
class PendingClientRequests {
public:
  // Makes the id of a request from its number. The id consists of letters, digits and hyphens, and
  // no other replica makes the same one. Called on any thread; must not call back. An empty
  // function makes the number the id.
  using Name = std::function<std::string(std::uint64_t number)>;
  explicit PendingClientRequests(Name name = {}) : name_(std::move(name)) {}

  // Sends a request on the call's channel, and waits until the call ends or its deadline has
  // passed. Returns the result as JSON text. Fails with Cancelled if the call ended, with
  // ToolTimeout at the deadline, and with Denied if the client answered with an error. `params` is
  // a JSON object or empty.
  Result<std::string> ask(Call &call, std::string_view method, std::string_view params);
  // Passes a response to the call that waits for it. Returns false if none does.
  bool onResponse(const Message &response);
  static constexpr std::string_view idStart = "\"skillhost-"; // beginning of the id's JSON text
  // Ends the waiting of ask() for this call, because the call has ended.
  void onCallEnded(const Call &call);

private:
  struct Question;
  std::shared_ptr<Question> add(const Call &call, std::string &id);
  std::shared_ptr<Question> take(const std::string &id);

  static constexpr std::size_t maxOpen = 64; // open at once
  const Name name_;
  std::mutex mutex_;
  std::uint64_t last_ = 0;
  std::map<std::string, std::shared_ptr<Question>> open_; // by id, as JSON text
};

} // namespace skillhost
