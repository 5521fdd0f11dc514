// SPDX-License-Identifier: Apache-2.0
#include "mcp_client/conversation.hpp"

#include "ground/utf8.hpp"

#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t maxIgnoredLines = 1'000, maxWarnings = 3;
constexpr std::size_t maxMessageDepth = 128; // nested arrays and objects
constexpr std::size_t maxShownBytes = 300;
constexpr int methodNotFound = -32601;

Conversation::Refusal refusalIn(const Json &error) {
  Conversation::Refusal refusal;
  if (!error.is_object()) return refusal;
  if (const auto code = error.find("code"); code != error.end() && code->is_number_integer())
    refusal.code = code->get<int>();
  if (const auto words = error.find("message"); words != error.end() && words->is_string())
    refusal.words = shownWords(words->get_ref<const std::string &>());
  if (const auto data = error.find("data"); data != error.end()) refusal.data = *data;
  return refusal;
}

Failure about(const std::string &method, const Failure &failure) {
  return {failure.fault, method + ": " + failure.message};
}

} // namespace

std::string shownWords(std::string_view words) {
  std::string shown = mendUtf8(cutUtf8(words, maxShownBytes));
  for (char &byte : shown)
    if (static_cast<unsigned char>(byte) < ' ' || byte == 0x7F) byte = ' ';
  return words.size() > maxShownBytes ? shown + "…" : shown;
}

Result<Conversation::Reply> Conversation::ask(const std::string &method, const Json &params,
                                              Deadline deadline) {
  Result<std::vector<Reply>> replies = askTogether(method, {params}, deadline);
  if (!replies) return replies.failure();
  return std::move(replies->front());
}

Result<std::vector<Conversation::Reply>> Conversation::askTogether(const std::string &method,
                                                                   const std::vector<Json> &params,
                                                                   Deadline deadline) {
  Awaited awaited;
  for (const Json &one : params) {
    const std::uint64_t id = ++lastId_;
    const Json request{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", one}};
    const Status sent = channel_->send(request.dump(), deadline);
    if (!sent) return about(method, sent.failure());
    awaited[id];
  }
  const Status answered = await(method, awaited, deadline);
  if (!answered) return about(method, answered.failure());
  std::vector<Reply> replies;
  replies.reserve(awaited.size());
  for (auto &[id, reply] : awaited) replies.push_back(*std::move(reply)); // ids grow
  return replies;
}

Status Conversation::tell(const std::string &method, Deadline deadline) {
  const Json message{{"jsonrpc", "2.0"}, {"method", method}};
  const Status sent = channel_->send(message.dump(), deadline);
  if (!sent) return about(method, sent.failure());
  return Done{};
}

Status Conversation::await(const std::string &method, Awaited &awaited, Deadline deadline) {
  for (std::size_t open = awaited.size(); open != 0;) {
    Result<std::string> line = channel_->receive(deadline);
    if (!line) return line.failure();
    bytes_ += line->size();
    if (bytes_ > allowedBytes_)
      return {Fault::TooLarge,
              "the server says more than " + std::to_string(allowedBytes_ >> 20U) + " MiB"};
    Result<Json> message = parseJson(*line, {maxMessageDepth});
    if (!message && line->find("\"jsonrpc\"") != std::string::npos)
      return {Fault::InvalidFormat,
              "a message of the server cannot be read: " + message.failure().message};
    if (!message || !message->is_object()) {
      if (const Status passed = ignoreLine(*line); !passed) return passed.failure();
      continue;
    }
    const auto number = message->find("id");
    if (message->contains("method")) {
      if (number == message->end()) continue;
      if (const Status answered = answer(*message, deadline); !answered) return answered.failure();
      continue;
    }
    if (number == message->end() || !number->is_number_unsigned()) continue;
    const auto slot = awaited.find(number->get<std::uint64_t>());
    if (slot == awaited.end() || slot->second) continue;
    --open;
    if (const auto error = message->find("error"); error != message->end()) {
      slot->second = Reply{nullptr, refusalIn(*error)};
      continue;
    }
    const auto result = message->find("result");
    if (result == message->end() || !result->is_object())
      return {Fault::InvalidFormat, "the answer has no result that is an object"};
    const auto type = result->find("resultType");
    if (type != result->end() && *type != "complete")
      return {Fault::NotImplemented,
              "the server wants to know more before it answers " + method + " (" +
                  shownWords(type->dump(-1, ' ', false, Json::error_handler_t::replace)) + ')'};
    slot->second = Reply{std::move(*result), std::nullopt};
  }
  return Done{};
}

Status Conversation::ignoreLine(std::string_view line) {
  if (++ignoredLines_ > maxIgnoredLines)
    return {Fault::InvalidFormat,
            "the server prints what is no MCP, such as \"" + shownWords(line) + '"'};
  if (ignoredLines_ <= maxWarnings)
    channel_->warn("the server printed what is no MCP: " + shownWords(line));
  return Done{};
}

Status Conversation::answer(const Json &request, Deadline deadline) {
  Json message{{"jsonrpc", "2.0"}, {"id", request["id"]}};
  if (request["method"] == "ping")
    message["result"] = Json::object();
  else
    message["error"] = {{"code", methodNotFound}, {"message", "this client only looks"}};
  return channel_->send(message.dump(-1, ' ', false, Json::error_handler_t::replace), deadline);
}

} // namespace skillhost
