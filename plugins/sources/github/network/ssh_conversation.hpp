// SPDX-License-Identifier: Apache-2.0
// Runs git's protocol through the program `ssh`, with the keys, agent, configuration and known
// hosts of the user who runs the host. ssh may never ask questions.
#pragma once

#include "conversation.hpp"

#include "address.hpp"

namespace skillhost::github {

class SshConversation final : public Conversation {
public:
  SshConversation(const Address &address, remote::Operation &operation)
      : address_(address), operation_(operation) {}

  bool isStateless() const noexcept override { return false; }
  std::unique_ptr<Stream> open(Step step) override;

private:
  const Address &address_;
  remote::Operation &operation_;
};

} // namespace skillhost::github
