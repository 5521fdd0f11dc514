// SPDX-License-Identifier: Apache-2.0
// Receives the answer to the handshake of the legacy family. A session is created only if the
// answer is a success, so no field of the response is fixed before.
#pragma once

#include "mcp/reply_channel.hpp"

#include <functional>
#include <string>
#include <utility>

namespace skillhost {

class OpeningReply final : public ReplyChannel {
public:
  using OnAnswered = std::function<void(Fragments message, int errorCode)>;

  // `whenAnswered` runs once, on the thread that answers.
  OpeningReply(OnAnswered whenAnswered, std::string origin, RequestOrigin request,
               PrincipalPointer principal)
      : whenAnswered_(std::move(whenAnswered)), origin_(std::move(origin)),
        request_(std::move(request)), principal_(std::move(principal)) {}

  bool canSendMessages() const override { return false; }
  void sendMessage(Fragments) override {}
  void answer(Fragments message, int errorCode) override {
    whenAnswered_(std::move(message), errorCode);
  }
  std::string_view origin() const override { return origin_; }
  const RequestOrigin &requestOrigin() const override { return request_; }
  PrincipalPointer principal() const override { return principal_; }

private:
  const OnAnswered whenAnswered_;
  const std::string origin_;
  const RequestOrigin request_;
  const PrincipalPointer principal_;
};

} // namespace skillhost
