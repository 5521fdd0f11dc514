// SPDX-License-Identifier: Apache-2.0
#include "rpc/message.hpp"

#include "rpc/long_message.hpp"

#include <cstdint>
#include <utility>

namespace skillhost {
namespace {

// Maximum nesting of a message. It is larger than the limit for a tool's arguments, because the
// message wraps them.
constexpr std::size_t maxMessageDepth = 64;
// An id is repeated in the answer, in progress notifications and in the log.
constexpr std::size_t maxIdBytes = 1024, maxMethodBytes = 256;

ParsedMessage refuse(Fault fault, std::string why, std::string id = "null") {
  return {std::nullopt, {{fault, std::move(why)}, std::move(id)}};
}

} // namespace

std::optional<std::string> idText(const Json &id) {
  if (id.is_number_unsigned()) return std::to_string(id.get<std::uint64_t>());
  if (id.is_number_integer()) return std::to_string(id.get<std::int64_t>());
  if (!id.is_string() || id.get_ref<const std::string &>().size() > maxIdBytes) return std::nullopt;
  return id.dump();
}

ParsedMessage parseMessage(std::string_view text, std::size_t maxValues) {
  Result<Json> parsed = parseJson(text, {maxMessageDepth, maxValues});
  if (!parsed) {
    Failure failure = std::move(parsed).failure();
    if (failure.fault == Fault::ParseError)
      return refuse(failure.fault, std::move(failure.message));
    // The message has too many values or levels, but its id can still be read.
    LongMessage message;
    message.add(text);
    return refuse(failure.fault, std::move(failure.message), message.id());
  }
  Json &json = *parsed;
  if (json.is_array())
    return refuse(Fault::InvalidRequest, "batches are not answered: send each message by itself");
  if (!json.is_object()) return refuse(Fault::InvalidRequest, "a message is a JSON object");
  Json *id = nullptr, *version = nullptr, *method = nullptr, *params = nullptr, *result = nullptr,
       *error = nullptr;
  const std::pair<std::string_view, Json *&> members[] = {{"jsonrpc", version}, {"id", id},
                                                          {"method", method},   {"params", params},
                                                          {"result", result},   {"error", error}};
  for (auto &[name, value] : json.get_ref<Json::object_t &>())
    for (const auto &[memberName, slot] : members)
      if (name == memberName) slot = &value;
  std::optional<std::string> idJson = id == nullptr ? std::nullopt : idText(*id);
  std::string answerId = idJson.value_or("null");
  // The library's operator== is noexcept and allocates a string, so it would terminate the process
  // when memory runs out. Therefore the strings are compared here.
  const std::string *const versionText =
      version == nullptr ? nullptr : version->get_ptr<const std::string *>();
  if (versionText == nullptr || *versionText != "2.0")
    return refuse(Fault::InvalidRequest, R"(jsonrpc must be "2.0")", answerId);
  Message message;
  message.bytes = text.size();
  if (method == nullptr) {
    if (id != nullptr && (result != nullptr || error != nullptr)) {
      message.kind = Message::Kind::Response;
      message.id = answerId;
      message.failed = error != nullptr;
      message.params = std::move(message.failed ? *error : *result);
      return {std::move(message), {}};
    }
    return refuse(Fault::InvalidRequest, "method is missing", answerId);
  }
  if (!method->is_string() || method->get_ref<const std::string &>().size() > maxMethodBytes)
    return refuse(Fault::InvalidRequest,
                  "method must be a string of at most " + std::to_string(maxMethodBytes) + " bytes",
                  answerId);
  if (id != nullptr && !idJson)
    return refuse(Fault::InvalidRequest, "id must be an integer or a string of at most " +
                                             std::to_string(maxIdBytes) + " bytes");
  message.kind = id == nullptr ? Message::Kind::Notification : Message::Kind::Request;
  message.method = std::move(method->get_ref<std::string &>());
  if (params != nullptr && !params->is_null()) {
    if (!params->is_object()) {
      ParsedMessage refused = refuse(Fault::InvalidParams, "params must be an object", answerId);
      refused.refusal.mustAnswer = id != nullptr; // a notification is never answered
      return refused;
    }
    message.params = std::move(*params);
  }
  message.id = std::move(answerId);
  return {std::move(message), {}};
}

} // namespace skillhost
