// SPDX-License-Identifier: Apache-2.0
// The channel to a server over Streamable HTTP, within the limits of an operation.
//
// Only the configured address is contacted; redirects are not followed, so that the token goes to
// no other server. Each request is an HTTP exchange of its own. If one of them fails alone, such as
// with status 500, by stalling or with an answer that is too long, it is answered with an error in
// the server's place. What concerns all of them is thrown.
#pragma once

#include "credential.hpp"
#include "settings.hpp"
#include "upstream.hpp"

#include "ground/json.hpp"
#include "http_client/connections.hpp"
#include "remote/operation.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace skillhost::mcp_source {

// The server has ended the session. A new one may continue.
class SessionEnded : public remote::RemoteError {
public:
  using RemoteError::RemoteError;
};

// The server does not accept the token. The next request gets another one.
class TokenRefused : public remote::RefusedError {
public:
  using RefusedError::RefusedError;
};

// send() and receive() throw what the operation throws, remote::RefusedError (401, 403),
// SessionEnded, TokenRefused, and remote::RemoteError if the server cannot be reached, is busy,
// redirects or is no MCP server. Messages speak of "the server"; whoever shows them names it.
class HttpChannel final : public SourceChannel {
public:
  // All of them must outlive it. `agent` is the User-Agent.
  HttpChannel(const Settings &settings, std::string agent, Credential &credential,
              web::Connections &connections, remote::Operation &operation);
  ~HttpChannel() override; // ends the session, in at most a second
  HttpChannel(const HttpChannel &) = delete;
  HttpChannel &operator=(const HttpChannel &) = delete;

  Status send(std::string_view message, Deadline deadline) override;
  Result<std::string> receive(Deadline deadline) override;
  void warn(const std::string &words) override;

  void limitAnswers(std::size_t bytes) noexcept override { maxAnswerBytes_ = bytes; }
  // Answers to requests that are sent from now on may be silent for any time. The descriptor `wake`
  // can be read when the operation has to stop. `onStream` is called each time when the answer to a
  // request begins to be a stream.
  void allowSilence(int wake, std::function<void()> onStream) {
    wake_ = wake;
    onStream_ = std::move(onStream);
  }
  // Opens the stream of the session's notifications (GET). Its end, or the server's refusal, is an
  // error that answers `id`; with the code methodNotFound if the server does not offer the stream.
  void openStream(const Json &id);
  std::deque<std::string> takeWarnings() override;

private:
  class Exchange;

  void start(std::unique_ptr<Exchange> exchange, const char *method);
  void drive();
  void finish(Exchange &exchange);
  void fail(Exchange &exchange);
  void refuse(Exchange &exchange, const std::string &words, int code = internalError);
  void deliver(Exchange &exchange, std::string_view text);

  const Settings &settings_;
  const std::string agent_;
  Credential &credential_;
  web::Connections &connections_;
  remote::Operation &operation_;
  std::size_t maxAnswerBytes_ = maxMessageBytes;
  int wake_ = -1; // not -1: answers may be silent
  std::function<void()> onStream_;
  std::string session_, version_; // of the earlier revisions
  std::deque<std::string> messages_, warnings_;
  std::list<std::unique_ptr<Exchange>> running_;
};

} // namespace skillhost::mcp_source
