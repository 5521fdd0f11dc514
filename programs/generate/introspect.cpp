// SPDX-License-Identifier: Apache-2.0
#include "generate/introspect.hpp"

#include "base/log.hpp"
#include "conversation/conversation.hpp"
#include "conversation/listing.hpp"
#include "ground/utf8.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace skillhost {
namespace {

constexpr const char *modern = "2026-07-28", *newestLegacy = "2025-11-25";

std::string textIn(const Json &object, const char *key) {
  if (!object.is_object()) return {};
  const auto text = object.find(key);
  return text != object.end() && text->is_string() ? text->get<std::string>() : std::string{};
}
Json memberOf(const Json &object, const char *key) {
  if (!object.is_object()) return nullptr;
  const auto member = object.find(key);
  return member == object.end() ? Json(nullptr) : *member;
}
bool holds(const Json &list, const char *text) {
  return list.is_array() && std::find(list.begin(), list.end(), text) != list.end();
}

class Introspection {
public:
  Introspection(const OpenServer &open, Deadline deadline, const std::string &version)
      : open_(open), deadline_(deadline), client_{{"name", "skillhost"}, {"version", version}} {}

  Result<ServerDescription> run() {
    if (Status opened = reopen(); !opened) return opened.failure();
    Result<bool> greeted = greetModern();
    if (!greeted) return greeted.failure();
    if (!*greeted)
      if (Status legacy = greetLegacy(); !legacy) return legacy.failure();
    if (Status read = readLists(); !read) return read.failure();
    return std::move(found_);
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
    found_.protocol = modern;
    return true;
  }

  Result<bool> probeFailed(const Failure &failure) {
    if (failure.fault == Fault::ToolTimeout && !deadline_.passed()) return false;
    if (failure.fault != Fault::Unavailable) return failure;
    // Some servers end at an unexpected request.
    log::debug("generate", failure.message);
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
    found_.protocol = shownWords(textIn(reply->result, "protocolVersion"));
    if (found_.protocol.empty())
      return {Fault::InvalidFormat, "initialize: the answer has no text \"protocolVersion\""};
    learn(reply->result, memberOf(reply->result, "serverInfo"));
    return conversation_->tell("notifications/initialized", deadline_);
  }

  void learn(const Json &greeting, const Json &server) {
    capabilities_ = memberOf(greeting, "capabilities");
    found_.instructions = textIn(greeting, "instructions");
    found_.name = textIn(server, "name");
    found_.title = textIn(server, "title");
    found_.version = textIn(server, "version");
  }

  Status readLists() {
    struct Kind {
      const char *capability, *method, *member, *key;
      std::vector<Json> ServerDescription::*list;
    };
    constexpr std::array<Kind, 4> kinds{{
        {"tools", "tools/list", "tools", "name", &ServerDescription::tools},
        {"resources", "resources/list", "resources", "uri", &ServerDescription::resources},
        {"resources", "resources/templates/list", "resourceTemplates", "uriTemplate",
         &ServerDescription::templates},
        {"prompts", "prompts/list", "prompts", "name", &ServerDescription::prompts},
    }};
    for (const Kind &kind : kinds) {
      if (!memberOf(capabilities_, kind.capability).is_object()) continue;
      Result<Listing> listing =
          readListing(*conversation_, {kind.method, kind.member, kind.key, params_}, deadline_);
      if (!listing) return listing.failure();
      found_.*kind.list = std::move(listing->entries);
      // Resources without templates are normal, so that is no remark.
      const bool optional = kind.list == &ServerDescription::templates;
      if (!optional || !(found_.*kind.list).empty())
        found_.remarks.insert(found_.remarks.end(), listing->remarks.begin(),
                              listing->remarks.end());
    }
    return Done{};
  }

  const OpenServer &open_;
  const Deadline deadline_;
  const Json client_;
  std::optional<Conversation> conversation_;
  Json params_, capabilities_;
  ServerDescription found_;
};

} // namespace

Result<ServerDescription> introspect(const OpenServer &open, Deadline deadline,
                                     const std::string &version) {
  return Introspection(open, deadline, version).run();
}

} // namespace skillhost
