// SPDX-License-Identifier: Apache-2.0
#include "generate/introspect.hpp"

#include "ground/json_member.hpp"
#include "mcp_client/greeting.hpp"
#include "mcp_client/listing.hpp"

#include <array>
#include <utility>

namespace skillhost {
namespace {

std::string textIn(const Json &object, const char *key) {
  const Json &text = memberOf(object, key);
  return text.is_string() ? text.get<std::string>() : std::string{};
}

Status readLists(GreetedServer &server, Deadline deadline, ServerDescription &found) {
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
    if (!memberOf(server.capabilities, kind.capability).is_object()) continue;
    Result<Listing> listing = readListing(
        server.conversation, {kind.method, kind.member, kind.key, server.params}, deadline);
    if (!listing) return listing.failure();
    found.*kind.list = std::move(listing->entries);
    // Resources without templates are normal, so that is no remark.
    const bool optional = kind.list == &ServerDescription::templates;
    if (!optional || !(found.*kind.list).empty())
      found.remarks.insert(found.remarks.end(), listing->remarks.begin(), listing->remarks.end());
  }
  return Done{};
}

} // namespace

Result<ServerDescription> introspect(const OpenServer &open, Deadline deadline,
                                     const std::string &version) {
  Result<GreetedServer> server = greet(open, deadline, version);
  if (!server) return server.failure();
  ServerDescription found;
  found.protocol = server->protocol;
  found.instructions = server->instructions;
  found.name = textIn(server->serverInfo, "name");
  found.title = textIn(server->serverInfo, "title");
  found.version = textIn(server->serverInfo, "version");
  if (Status read = readLists(*server, deadline, found); !read) return read.failure();
  return found;
}

} // namespace skillhost
