// SPDX-License-Identifier: Apache-2.0
#include "http_reply.hpp"

#include "base/log.hpp"
#include "stored_credential.hpp"

#include <exception>
#include <optional>
#include <utility>

namespace skillhost {

int statusOf(ProtocolFamily family, int errorCode) noexcept {
  if (family == ProtocolFamily::Legacy) return 200;
  // These are errors of the transport itself; every other error is sent like a result.
  switch (errorCode) {
  case -32601:
    return 404;
  case headerMismatch:
  case missingCapability:
  case unsupportedVersion:
    return 400;
  default:
    return 200;
  }
}

HttpReply::HttpReply(std::shared_ptr<HttpExchange> exchange, HttpReplyForm &&form,
                     std::shared_ptr<HttpSession> session)
    : exchange_(std::move(exchange)), form_(std::move(form)), session_(std::move(session)) {}

HttpReply::~HttpReply() {
  try {
    if (stream_) stream_->finish();
  } catch (const std::exception &why) {
    log::failure("http", {"a stream may stay open"}, why);
  }
}

StoredCredential HttpReply::credential() const {
  StoredCredential copy = copyCredential(exchange_->request(), form_.access);
  forgetCredentials(*exchange_, form_.access); // the stream that begins now may stay open for hours
  return copy;
}

void HttpReply::beginStream() {
  if (streaming_) return;
  if (session_) {
    stream_ = session_->newStream(form_.audience);
    stream_->attach(exchange_, form_.fields, std::nullopt, form_.withPrimingEvent, form_.audience);
  } else {
    exchange_->openStream(form_.fields);
  }
  streaming_ = true;
}

void HttpReply::sendEvent(const Fragments &message) {
  if (stream_)
    stream_->send(message);
  else
    exchange_->event({}, message);
}

void HttpReply::sendMessage(Fragments message) {
  if (!form_.acceptsStream) return; // the client accepts no stream, so the message is dropped
  const std::scoped_lock lock(mutex_);
  beginStream();
  sendEvent(message);
}

void HttpReply::answer(Fragments message, int errorCode) {
  const std::scoped_lock lock(mutex_);
  if (!streaming_ && form_.acceptsJson)
    return exchange_->respond(
        {statusOf(form_.family, errorCode), "application/json", form_.fields, std::move(message)});
  beginStream();
  // The answer is sent once, even if this function is called again because the stream did not end.
  if (!answered_) sendEvent(message);
  answered_ = true;
  if (stream_)
    stream_->finish();
  else
    exchange_->closeStream();
}

} // namespace skillhost
