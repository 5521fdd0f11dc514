// SPDX-License-Identifier: Apache-2.0
// The answer to one request over HTTP: a JSON body, or an event stream if messages precede the
// answer.
#pragma once

#include "access/permissions.hpp"
#include "base/http.hpp"
#include "event_stream.hpp"
#include "http_session.hpp"
#include "mcp/reply_channel.hpp"
#include "rpc/revision.hpp"

#include <memory>
#include <mutex>
#include <string>

namespace skillhost {

// Describes a request and its caller to HttpReply.
struct HttpReplyForm {
  ProtocolFamily family = ProtocolFamily::Modern;
  bool acceptsJson = true, acceptsStream = false; // by the Accept field of the request
  bool withPrimingEvent = false;        // the client's revision knows it; see EventStream::attach()
  HttpFields fields{};                  // header fields of every answer
  const Access *access = nullptr;       // admitted the request; null if there is no access control
  PrincipalPointer principal{};         // the caller; null if callers are not identified
  Permission needed = Permission::Read; // permission that the request needs
  StreamAudience audience{};            // of the answer
  std::string origin{};                 // for the log: peer, request, trace
  RequestOrigin requestOrigin{};        // the parts of `origin`
};

class HttpReply final : public ReplyChannel {
public:
  // `session` is null for a request that belongs to none.
  HttpReply(std::shared_ptr<HttpExchange> exchange, HttpReplyForm &&form,
            std::shared_ptr<HttpSession> session);

  ~HttpReply() override; // a cancelled call has no answer: its stream ends
  HttpReply(const HttpReply &) = delete;
  HttpReply &operator=(const HttpReply &) = delete;

  bool canSendMessages() const override { return form_.acceptsStream; }
  void sendMessage(Fragments message) override;
  void answer(Fragments message, int errorCode) override;
  std::string_view origin() const override { return form_.origin; }
  const RequestOrigin &requestOrigin() const override { return form_.requestOrigin; }
  PrincipalPointer principal() const override { return form_.principal; }
  StoredCredential credential() const override;

private:
  void beginStream();
  void sendEvent(const Fragments &message);

  const std::shared_ptr<HttpExchange> exchange_;
  const HttpReplyForm form_;
  const std::shared_ptr<HttpSession> session_;
  std::mutex mutex_;
  bool streaming_ = false, answered_ = false;
  std::shared_ptr<EventStream> stream_; // belongs to a session and can be resumed
};

// Returns the HTTP status of an answer. `errorCode` is the code of its JSON-RPC error; 0: no error.
int statusOf(ProtocolFamily family, int errorCode) noexcept;

} // namespace skillhost
