// SPDX-License-Identifier: Apache-2.0
#include "answer.hpp"

#include <algorithm>

namespace skillhost {

void Answer::head(const HttpHead &head) {
  head_ = head;
  stream_ = head.status == 200 && head.type == "text/event-stream";
  if (listener_.head) listener_.head(head);
}

bool Answer::take(std::string_view bytes) {
  if (stream_)
    return parser_.parse(bytes, [this](std::string_view type, std::string_view data) {
      if (type == "message" && !data.empty()) deliver(data);
    });
  body_ += bytes;
  return body_.size() <= maxBytes_;
}

void Answer::end(const HttpEnd &end) {
  AnswerEnd answerEnd{head_, end, {}, parser_.lastId(), parser_.retry()};
  if (head_.status == 200 && head_.type == "application/json" &&
      end.kind == HttpEnd::Kind::Complete)
    deliver(body_);
  else
    answerEnd.body = std::move(body_);
  listener_.end(answerEnd);
}

void Answer::deliver(std::string_view text) const {
  if (text.find_first_of("\r\n") == std::string_view::npos) return listener_.message(text);
  // JSON escapes line ends within its strings, so these bytes are white space.
  std::string line(text);
  std::replace_if(
      line.begin(), line.end(), [](char byte) { return byte == '\r' || byte == '\n'; }, ' ');
  listener_.message(line);
}

} // namespace skillhost
