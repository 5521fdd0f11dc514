// SPDX-License-Identifier: Apache-2.0
// The questions a session has put to its client, in the family in which servers may ask.
#pragma once

#include "ground/result.hpp"
#include "mcp/call.hpp"
#include "rpc/message.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace skillhost {

// Any thread.
class PendingClientRequests {
public:
  // Puts it on the call's channel and waits for the answer: the result, as JSON text. At most until
  // the call ends or its deadline, then Cancelled or ToolTimeout. Denied: the client answered with
  // an error. `params` is a JSON object or empty.
  Result<std::string> ask(Call &call, std::string_view method, std::string_view params);
  // A response has come; one that nobody waits for is dropped.
  void answered(const Message &response);
  // The call has ended: nobody waits for its answers any more.
  void ended(const Call &call);

private:
  struct Question;
  std::shared_ptr<Question> add(const Call &call, std::string &id);
  std::shared_ptr<Question> take(const std::string &id);

  static constexpr std::size_t most = 64; // open at once
  std::mutex mutex_;
  std::uint64_t last_ = 0;
  std::map<std::string, std::shared_ptr<Question>> open_; // by id, as JSON text
};

} // namespace skillhost
