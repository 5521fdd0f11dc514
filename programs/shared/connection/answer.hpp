// SPDX-License-Identifier: Apache-2.0
// Receives the answer of the server, which is either one JSON text or a stream of events, and
// passes on its messages.
#pragma once

#include "http_client.hpp"
#include "mcp_client/event_parser.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace skillhost {

struct AnswerEnd {
  HttpHead head; // status 0: no answer arrived
  HttpEnd end;
  std::string body;   // the answer, unless its messages went to the listener
  std::string lastId; // Last-Event-ID for resuming; empty: the stream named none
  std::optional<std::chrono::milliseconds> retry;
};

class Answer final : public HttpReceiver {
public:
  struct Listener {
    std::function<void(const HttpHead &head)> head; // may be empty
    // Receives one message, in one line; nobody has checked that it is JSON.
    std::function<void(std::string_view text)> message;
    std::function<void(const AnswerEnd &end)> end;
  };
  Answer(Listener listener, std::size_t maxBytes)
      : listener_(std::move(listener)), maxBytes_(maxBytes), parser_(maxBytes) {}

  void head(const HttpHead &head) override;
  bool take(std::string_view bytes) override;
  void end(const HttpEnd &end) override;

private:
  void deliver(std::string_view text) const;

  const Listener listener_;
  const std::size_t maxBytes_;
  EventParser parser_;
  HttpHead head_;
  std::string body_;
  bool stream_ = false;
};

} // namespace skillhost
