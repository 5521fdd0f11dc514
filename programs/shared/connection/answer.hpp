// SPDX-License-Identifier: Apache-2.0
// The messages in what a server answers, be it one JSON text or a stream of events.
#pragma once

#include "event_parser.hpp"
#include "http_client.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace skillhost {

struct AnswerEnd {
  HttpHead head; // status 0: nothing came
  HttpEnd end;
  std::string body;   // unless the messages were told
  std::string lastId; // to come back with; empty: the stream named none
  std::optional<std::chrono::milliseconds> retry;
};

class Answer final : public HttpReceiver {
public:
  struct Listener {
    std::function<void(const HttpHead &head)> head; // may be empty
    // One message, in one line; not yet checked to be JSON.
    std::function<void(std::string_view text)> message;
    std::function<void(const AnswerEnd &end)> end;
  };
  Answer(Listener listener, std::size_t mostBytes)
      : listener_(std::move(listener)), most_(mostBytes), parser_(mostBytes) {}

  void head(const HttpHead &head) override;
  bool take(std::string_view bytes) override;
  void end(const HttpEnd &end) override;

private:
  void tell(std::string_view text) const;

  const Listener listener_;
  const std::size_t most_;
  EventParser parser_;
  HttpHead head_;
  std::string body_;
  bool stream_ = false;
};

} // namespace skillhost
