// SPDX-License-Identifier: Apache-2.0
// Which request needs which scopes.
#include "access/permissions.hpp"
#include "catch2.hpp"

#include <nlohmann/json.hpp>

using namespace skillhost;
using Scopes = Permissions::Scopes;

namespace {

const Json reload{{"name", "reload_skills_directory"}};
const Json load{{"name", "load_skill"}};

Principal with(std::initializer_list<std::string> scopes) {
  return {"ada", "house", {scopes.begin(), scopes.end()}, {}, 0};
}

} // namespace

TEST_CASE("only what opens a conversation needs no scope") {
  const Permissions permissions;
  for (const char *method : {"initialize", "ping", "server/discover"}) {
    INFO(method);
    CHECK(Permissions::need(method, Json::object()) == Need::Nothing);
    CHECK(permissions.missing(method, Json::object(), nullptr).empty());
  }
  for (const char *method : {"tools/list", "tools/call", "skills/list", "subscriptions/listen",
                             "call_tool", "nobody/knows", "", "Initialize"}) {
    INFO(method);
    CHECK(permissions.missing(method, Json::object(), nullptr) == Scopes{"skills:read"});
  }
}

TEST_CASE("what manages the server needs more, and all is named at once") {
  const Permissions permissions;
  const Json stats{{"uri", "skillhost://stats"}};
  CHECK(Permissions::need("tools/call", reload) == Need::Manage);
  CHECK(Permissions::need("tools/call", {{"name", "get_server_stats"}}) == Need::Manage);
  CHECK(Permissions::need("resources/read", stats) == Need::Manage);
  CHECK(Permissions::need("resources/subscribe", stats) == Need::Manage);
  CHECK(Permissions::need("resources/read", {{"uri", "skill://a/b/SKILL.md"}}) == Need::Read);
  CHECK(Permissions::need("tools/call", {{"name", 7}}) == Need::Read);

  const Principal nothing = with({}), reader = with({"skills:read"}),
                  manager = with({"skills:manage"}), other = with({"skills:*", "skills"});
  CHECK(permissions.missing("tools/call", reload, &nothing) ==
        Scopes{"skills:read", "skills:manage"});
  CHECK(permissions.missing("tools/call", reload, &other) ==
        Scopes{"skills:read", "skills:manage"});
  CHECK(permissions.missing("tools/call", reload, &reader) == Scopes{"skills:manage"});
  CHECK(permissions.needed("tools/call", reload) == Scopes{"skills:read", "skills:manage"});
  CHECK(permissions.missing("tools/call", reload, &manager).empty());
  CHECK(permissions.missing("tools/call", load, &manager).empty());
  CHECK(permissions.missing("tools/call", load, &reader).empty());
}

TEST_CASE("scopes have the names of the configuration, or need not be had") {
  const Permissions permissions({"", "admin"});
  const Principal nothing = with({}), admin = with({"admin"});
  CHECK(permissions.missing("tools/call", load, &nothing).empty());
  CHECK(permissions.missing("tools/call", reload, &nothing) == Scopes{"admin"});
  CHECK(permissions.missing("tools/call", reload, &admin).empty());
  CHECK(permissions.all() == Scopes{"admin"});
}
