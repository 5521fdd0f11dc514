// SPDX-License-Identifier: Apache-2.0
#include "mcp_client/greeting.hpp"

#include "base/fault.hpp"
#include "ground/json_member.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace skillhost {
namespace {

constexpr const char *modern = "2026-07-28", *newestLegacy = "2025-11-25";

std::string textOf(const Json &object, const char *key) {
  const Json &text = memberOf(object, key);
  return text.is_string() ? text.get<std::string>() : std::string{};
}
bool holds(const Json &list, const char *text) {
  return list.is_array() && std::find(list.begin(), list.end(), text) != list.end();
}

class Greeting {
public:
  Greeting(const OpenServer &open, Deadline deadline, const std::string &version)
      : open_(open), deadline_(deadline), client_{{"name", "skillhost"}, {"version", version}} {}

  Result<GreetedServer> run() {
    if (Status opened = reopen(); !opened) return opened.failure();
    Result<bool> greeted = greetModern();
    if (!greeted) return greeted.failure();
    if (!*greeted)
      if (Status legacy = greetLegacy(); !legacy) return legacy.failure();
    return GreetedServer{*std::move(conversation_), std::move(params_),   std::move(capabilities_),
                         std::move(serverInfo_),    std::move(protocol_), std::move(instructions_)};
  }

private:
  Status reopen() {
    conversation_.reset(); // ends the previous one first
    Result<std::unique_ptr<ServerChannel>> channel = open_();
    if (!channel) return channel.failure();
    conversation_.emplace(*std::move(channel));
    return Done{};
  }

  // Returns true if the server speaks the modern revision. A failure means that no other revision
  // would help.
  Result<bool> greetModern() {
    params_ = {{"_meta",
                {{"io.modelcontextprotocol/protocolVersion", modern},
                 {"io.modelcontextprotocol/clientCapabilities", Json::object()},
                 {"io.modelcontextprotocol/clientInfo", client_}}}};
    // A server of an earlier revision may ignore an unknown request, so wait only a short time.
    const Deadline probe =
        Deadline::at(std::min(deadline_.at(), Deadline::Clock::now() + conversation_->patience()));
    Result<Conversation::Reply> reply = conversation_->ask("server/discover", params_, probe);
    if (!reply) return probeFailed(reply.failure());
    if (reply->refusal) {
      // The connector answers like this for a server that is unreachable or refuses access.
      for (const Fault fault : {Fault::Unavailable, Fault::Denied, Fault::Unauthenticated})
        if (reply->refusal->code == describe(fault).jsonRpc)
          return Failure{fault, reply->refusal->words};
      return false;
    }
    if (!holds(memberOf(reply->result, "supportedVersions"), modern)) return false;
    learn(reply->result,
          memberOf(memberOf(reply->result, "_meta"), "io.modelcontextprotocol/serverInfo"));
    protocol_ = modern;
    return true;
  }

  Result<bool> probeFailed(const Failure &failure) {
    if (failure.fault == Fault::ToolTimeout && !deadline_.passed()) return false;
    if (failure.fault != Fault::Unavailable) return failure;
    // Some servers end at an unexpected request.
    if (Status opened = reopen(); !opened) return opened.failure();
    return false;
  }

  Status greetLegacy() {
    params_ = Json::object();
    const Json params{{"protocolVersion", newestLegacy},
                      {"capabilities", Json::object()},
                      {"clientInfo", client_}};
    Result<Conversation::Reply> reply = conversation_->ask("initialize", params, deadline_);
    if (!reply) return reply.failure();
    if (reply->refusal)
      return {Fault::OperationFailed, "initialize: the server answers with error " +
                                          std::to_string(reply->refusal->code) + ": " +
                                          reply->refusal->words};
    protocol_ = shownWords(textOf(reply->result, "protocolVersion"));
    if (protocol_.empty())
      return {Fault::InvalidFormat, "initialize: the answer has no text \"protocolVersion\""};
    learn(reply->result, memberOf(reply->result, "serverInfo"));
    return conversation_->tell("notifications/initialized", deadline_);
  }

  void learn(const Json &greeting, const Json &server) {
    capabilities_ = memberOf(greeting, "capabilities");
    serverInfo_ = server;
    instructions_ = textOf(greeting, "instructions");
  }

  const OpenServer &open_;
  const Deadline deadline_;
  const Json client_;
  std::optional<Conversation> conversation_;
  Json params_, capabilities_, serverInfo_;
  std::string protocol_, instructions_;
};

} // namespace

Result<GreetedServer> greet(const OpenServer &open, Deadline deadline, const std::string &version) {
  return Greeting(open, deadline, version).run();
}

} // namespace skillhost
