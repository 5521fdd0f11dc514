// SPDX-License-Identifier: Apache-2.0
#include "rpc/long_message.hpp"

#include "ground/json.hpp"
#include "rpc/message.hpp"

#include <nlohmann/json.hpp>

namespace skillhost {

void LongMessage::add(std::string_view piece) {
  for (const char c : piece) step(c);
}

void LongMessage::step(char c) {
  if (inText_) {
    if (depth_ == 1) take(c);
    if (isEscaped_)
      isEscaped_ = false;
    else if (c == '\\')
      isEscaped_ = true;
    else
      inText_ = c != '"';
    return;
  }
  if (c == ' ' || c == '\t' || c == '\r' || c == '\n') return;
  if (!begun_) {
    constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
    if (byteOrderMark.find(c) != byteOrderMark.npos) return;
    begun_ = true;
    isObject_ = c == '{';
  }
  switch (c) {
  case '"':
    inText_ = true;
    if (depth_ == 1) take(c);
    break;
  case '{':
  case '[':
    if (depth_ == 1) isScalar_ = false;
    ++depth_;
    break;
  case '}':
  case ']':
    if (depth_ == 1) endMember();
    if (depth_ != 0) --depth_;
    break;
  case ':':
    if (depth_ != 1 || isValue_) break;
    name_.swap(token_);
    token_.clear();
    isValue_ = isScalar_ = true;
    break;
  case ',':
    if (depth_ == 1) endMember();
    break;
  default:
    if (depth_ == 1) take(c);
  }
}

void LongMessage::take(char c) {
  if (token_.size() < longestToken) token_ += c;
}

void LongMessage::endMember() {
  if (isValue_ && name_ == R"("method")") hasMethod_ = true;
  if (isValue_ && name_ == R"("id")") {
    isDoubtful_ = isDoubtful_ || !id_.empty() || !isScalar_;
    id_.swap(token_);
  }
  token_.clear();
  isValue_ = false;
}

std::string LongMessage::id() const {
  if (!isObject_ || !hasMethod_ || isDoubtful_ || id_.empty()) return "null";
  const Result<Json> id = parseJson(id_);
  return id ? idText(*id).value_or("null") : "null";
}

} // namespace skillhost
