// SPDX-License-Identifier: Apache-2.0
#include "message_sink.hpp"

namespace skillhost {
namespace {

constexpr std::size_t maxMessages = 1024;
constexpr std::size_t maxMessageBytes = 64U << 20U; // of channels and payloads

} // namespace

MessageSink::MessageSink(const CallFrame &frame)
    : frame_(frame), raw_({sizeof(skh_messages), 0, &SinkFunction<&MessageSink::add>::call}, this) {
}

skh_status MessageSink::refuse(skh_status status, std::string_view why) noexcept {
  if (fault_.empty()) fault_ = why;
  return status;
}

skh_status MessageSink::add(const skh_message *message) {
  if (frame_.isGivenUp()) return SKH_CANCELLED;
  const bool isLost = (message->flags & SKH_MESSAGES_LOST) != 0;
  const std::string_view channel = view(message->channel), payload = view(message->payload);
  if (channel.size() > StateBackend::maxKeyBytes || (channel.empty() && !isLost))
    return refuse(SKH_INVALID, "a message's channel has not 1 to 512 bytes");
  if (payload.size() > StateBackend::maxValueBytes)
    return refuse(SKH_TOO_LARGE, "a message has more than 1 MiB");
  bytes_ += channel.size() + payload.size();
  if (messages.size() >= maxMessages || bytes_ > maxMessageBytes)
    return refuse(SKH_TOO_LARGE, "more than 1,024 messages, or 64 MiB of them, at once");
  messages.push_back({std::string(channel), std::string(payload), isLost});
  return SKH_OK;
}

} // namespace skillhost
