// SPDX-License-Identifier: Apache-2.0
#include "client_message.hpp"

#include "base/fault.hpp"
#include "ground/json_text.hpp"

namespace skillhost {
namespace {

constexpr const char *versionKey = "io.modelcontextprotocol/protocolVersion";

ReadMessage refuse(Fault fault, std::string words, std::string_view id = "null") {
  return {std::nullopt, errorAnswer(id, {fault, std::move(words)})};
}

std::string versionIn(const Json &params) {
  const auto meta = params.find("_meta");
  if (meta == params.end() || !meta->is_object()) return {};
  const auto version = meta->find(versionKey);
  return version != meta->end() && version->is_string() ? version->get<std::string>()
                                                        : std::string{};
}

bool isId(const Json &id) { return id.is_string() || id.is_number_integer(); }

} // namespace

std::string errorAnswer(std::string_view id, int code, std::string_view words,
                        std::string_view data) {
  std::string text = R"({"jsonrpc":"2.0","id":)";
  text += id;
  (text += R"(,"error":{"code":)") += std::to_string(code);
  text += R"(,"message":)";
  appendJsonString(text, words);
  if (!data.empty()) (text += R"(,"data":)") += data;
  return text += "}}";
}

std::string errorAnswer(std::string_view id, const Failure &failure) {
  const FaultInfo &info = describe(failure.fault);
  std::string data = R"({"code":")";
  data += info.code;
  data += info.retryable ? R"(","retryable":true})" : R"(","retryable":false})";
  return errorAnswer(id, info.jsonRpc, failure.message, data);
}

ReadMessage readClientMessage(std::string_view line) {
  Result<Json> parsed = parseJson(line);
  if (!parsed) return refuse(parsed.failure().fault, parsed.failure().message);
  if (parsed->is_array())
    return refuse(Fault::InvalidRequest, "batches are not answered: send each message by itself");
  if (!parsed->is_object()) return refuse(Fault::InvalidRequest, "a message is a JSON object");
  const auto id = parsed->find("id"), method = parsed->find("method"),
             params = parsed->find("params"), none = parsed->end();
  ClientMessage message;
  message.line = line;
  if (id != none && !isId(*id))
    return refuse(Fault::InvalidRequest, "id must be a string or an integer");
  if (id != none) message.id = id->dump();
  const std::string answerId = id == none ? "null" : message.id;
  if (method == none) {
    if (id == none || (!parsed->contains("result") && !parsed->contains("error")))
      return refuse(Fault::InvalidRequest, "method is missing", answerId);
    message.kind = ClientMessage::Kind::Response;
    return {std::move(message), {}};
  }
  if (!method->is_string())
    return refuse(Fault::InvalidRequest, "method must be a string", answerId);
  message.kind = id == none ? ClientMessage::Kind::Notification : ClientMessage::Kind::Request;
  message.method = method->get<std::string>();
  // The server refuses params of other types.
  if (params != none && params->is_object()) message.params = std::move(*params);
  message.version = versionIn(message.params);
  return {std::move(message), {}};
}

std::optional<ServerMessage> readServerMessage(std::string_view text) {
  Result<Json> parsed = parseJson(text, {256});
  if (!parsed || !parsed->is_object()) return std::nullopt;
  ServerMessage message;
  const auto id = parsed->find("id"), method = parsed->find("method"), none = parsed->end();
  if (method != none) {
    if (!method->is_string()) return std::nullopt;
    message.method = method->get<std::string>();
  } else if (parsed->contains("result") || parsed->contains("error")) {
    message.answer = true;
    message.id = id == none ? "null" : id->dump();
  } else {
    return std::nullopt;
  }
  message.json = std::move(*parsed);
  return message;
}

} // namespace skillhost
