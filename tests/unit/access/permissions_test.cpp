// SPDX-License-Identifier: Apache-2.0
// Tests which scopes are needed, and the text of a refusal.
#include "access/access.hpp"
#include "catch2.hpp"

using namespace skillhost;
using Scopes = Permissions::Scopes;

namespace {

Principal with(std::initializer_list<std::string> scopes) {
  return {"ada", "house", {scopes.begin(), scopes.end()}, {}, 0};
}

} // namespace

TEST_CASE("what manages the server needs more, and all is named at once") {
  const Permissions permissions;
  CHECK(permissions.missingScopes(Permission::Nothing, nullptr).empty());
  CHECK(permissions.missingScopes(Permission::Read, nullptr) == Scopes{"skills:read"});
  const Principal nothing = with({}), reader = with({"skills:read"}),
                  manager = with({"skills:manage"}), other = with({"skills:*", "skills"});
  CHECK(permissions.missingScopes(Permission::Manage, &nothing) ==
        Scopes{"skills:read", "skills:manage"});
  CHECK(permissions.missingScopes(Permission::Manage, &other) ==
        Scopes{"skills:read", "skills:manage"});
  CHECK(permissions.missingScopes(Permission::Manage, &reader) == Scopes{"skills:manage"});
  CHECK(permissions.neededScopes(Permission::Manage) == Scopes{"skills:read", "skills:manage"});
  CHECK(permissions.missingScopes(Permission::Manage, &manager).empty());
  CHECK(permissions.missingScopes(Permission::Read, &manager).empty());
  CHECK(permissions.missingScopes(Permission::Read, &reader).empty());
}

TEST_CASE("scopes have the names of the configuration, or need not be had") {
  const Permissions permissions({"", "admin"});
  const Principal nothing = with({}), admin = with({"admin"});
  CHECK(permissions.missingScopes(Permission::Read, &nothing).empty());
  CHECK(permissions.missingScopes(Permission::Manage, &nothing) == Scopes{"admin"});
  CHECK(permissions.missingScopes(Permission::Manage, &admin).empty());
  CHECK(permissions.all() == Scopes{"admin"});
}

TEST_CASE("who reviews may read, and who manages does not review") {
  const Permissions permissions({"skills:read", "skills:manage", "skills:review"});
  const Principal reader = with({"skills:read"}), manager = with({"skills:manage"}),
                  reviewer = with({"skills:review"});
  CHECK(permissions.mayReview(&reviewer));
  CHECK_FALSE(permissions.mayReview(&manager));
  CHECK_FALSE(permissions.mayReview(&reader));
  CHECK_FALSE(permissions.mayReview(nullptr));
  CHECK(permissions.missingScopes(Permission::Read, &reviewer).empty());
  CHECK(permissions.missingScopes(Permission::Manage, &reviewer) == Scopes{"skills:manage"});
  CHECK(permissions.missingScopes(Permission::Review, &manager) == Scopes{"skills:review"});
  CHECK(permissions.all() == Scopes{"skills:read", "skills:manage", "skills:review"});
  // Nobody reviews where nothing is reviewed.
  CHECK_FALSE(Permissions().mayReview(&reviewer));
  CHECK(Permissions().all() == Scopes{"skills:read", "skills:manage"});
}

TEST_CASE("clients can request the scopes of features, which the host itself needs for nothing") {
  const Permissions permissions(
      {"skills:read", "skills:manage", "skills:review", {"skills:propose", "skills:other"}});
  CHECK(permissions.all() ==
        Scopes{"skills:read", "skills:manage", "skills:review", "skills:propose", "skills:other"});
  const Principal proposer = with({"skills:propose"});
  CHECK(permissions.missingScopes(Permission::Read, &proposer) == Scopes{"skills:read"});
  for (const Permission need : {Permission::Read, Permission::Manage, Permission::Review})
    CHECK(std::ranges::count(permissions.neededScopes(need), "skills:propose") == 0);
}

TEST_CASE("a refusal has the numbers of HTTP and of JSON-RPC, and says what would be enough") {
  const AccessRefusal denied{{Fault::Denied, "no"}, {"skills:read", "skills:manage"}};
  CHECK(denied.status() == 403);
  CHECK(denied.code("tools/call") == describe(Fault::Denied).jsonRpc);
  CHECK(denied.code("call_tool") == 403);
  CHECK(denied.data() == R"({"scope":"skills:read skills:manage"})");
  const AccessRefusal away{{Fault::ToolTimeout, "the provider is away"}};
  CHECK(away.status() == 503); // whatever the cause of the missing answer
  CHECK(away.data().empty());
  CHECK(AccessRefusal{{Fault::Unavailable, ""}}.data() == R"({"retryable":true})");
  CHECK(AccessRefusal{{Fault::Unauthenticated, ""}}.status() == 401);
  CHECK(AccessRefusal{{Fault::InvalidRequest, ""}}.status() == 400);
}

TEST_CASE("where nobody is asked who it is, all may do all") {
  const Access access({}, nullptr);
  CHECK(access.allows(Permission::Manage, nullptr));
  CHECK_FALSE(access.check(Permission::Manage, {}).has_value());
}
