// SPDX-License-Identifier: Apache-2.0
// A channel that sends the answer of a call only after the changes that the call made to its
// session are written to the shared state.
#pragma once

#include "mcp/reply_channel.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace skillhost {

class SettledReply final : public ReplyChannel {
public:
  // Calls its argument once, when the changes are written: at once or later, on any thread.
  using WhenSaved = std::function<void(std::function<void()>)>;

  SettledReply(std::shared_ptr<ReplyChannel> reply, WhenSaved whenSaved)
      : reply_(std::move(reply)), whenSaved_(std::move(whenSaved)) {}

  bool canSendMessages() const override { return reply_->canSendMessages(); }
  void sendMessage(Fragments message) override { reply_->sendMessage(std::move(message)); }
  void answer(Fragments message, int errorCode) override {
    whenSaved_([reply = reply_, message = std::move(message), errorCode] {
      reply->answer(message, errorCode);
    });
  }
  std::string_view origin() const override { return reply_->origin(); }
  const RequestOrigin &requestOrigin() const override { return reply_->requestOrigin(); }
  PrincipalPointer principal() const override { return reply_->principal(); }
  StoredCredential credential() const override { return reply_->credential(); }

private:
  const std::shared_ptr<ReplyChannel> reply_;
  const WhenSaved whenSaved_;
};

} // namespace skillhost
