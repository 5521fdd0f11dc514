// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"

#include "ground/time_reading.hpp"
#include "lent.hpp"
#include "static/authenticator.hpp"
#include "tokens/exclusive_file.hpp"
#include "tokens/token.hpp"

#include <nlohmann/json.hpp>

#include <sys/stat.h>

using namespace skillhost;
using namespace auth_test;
using Catch::Matchers::Contains;

namespace {

std::string add(const std::string &path, const std::string &name, std::int64_t expiresAt = 0) {
  const std::string token = tokens::newToken();
  tokens::changeTokenFile(path, [&](auto &entries) {
    entries.push_back({name, tokens::hashOfToken(token), {"skills:read"}, 1, expiresAt});
  });
  return token;
}

} // namespace

TEST_CASE("a token of the file, until it is taken out") {
  const TemporaryFolder folder;
  const std::string path = folder.file("tokens.json");
  const LentHost host(nlohmann::json{{"file", path}}.dump());
  const LentCall call;
  statics::Authenticator auth(host.host(), call.call());
  const std::string early = tokens::newToken();
  CHECK_THAT(verdict(auth, early), Contains("unavailable: " + path));
  CHECK_THROWS_WITH(auth.check(call.call()), Contains("skillhost token add makes it"));
  const std::string ada = add(path, "ada");
  const std::string bob = add(path, "bob", secondsNow() + 3);
  const std::string eve = add(path, "eve", secondsNow() - 1);
  CHECK_NOTHROW(auth.check(call.call()));
  CHECK(verdict(auth, ada) == "ok");
  CHECK_THAT(verdict(auth, eve), Contains("denied: the token has expired"));
  CHECK_THAT(verdict(auth, early), Contains("denied: the token is not known"));
  CHECK_THAT(verdict(auth, ada.substr(1)), Contains("denied: the token is not one of this server"));
  const skh::Principal who = auth.validate(call.call(), {"bearer", ada, "", ""});
  CHECK(who.subject == "ada");
  CHECK(who.scopes == std::vector<std::string>{"skills:read"});
  CHECK(who.cache_seconds == 5);
  CHECK(auth.validate(call.call(), {"bearer", bob, "", ""}).cache_seconds <= 3);
  CHECK_THROWS_WITH(auth.validate(call.call(), {"none", ada, "", ""}), Contains("bearer"));
  CHECK_THAT(auth.describe(call.call()), !Contains("skills:read")); // everybody may read it

  const int told = changesTold();
  tokens::changeTokenFile(path, [](auto &entries) { entries.erase(entries.begin()); });
  CHECK_THAT(verdict(auth, ada), Contains("denied: the token is not known"));
  CHECK(changesTold() == told + 1);
  ::chmod(path.c_str(), 0644);
  CHECK_THAT(verdict(auth, bob), Contains("unavailable: "));
}

TEST_CASE("refused settings of static") {
  const LentCall call;
  for (const char *wrong : {R"({"file":"relative"})", R"({"file":"/x","cache_seconds":301})"}) {
    const LentHost host(wrong);
    CHECK_THROWS_AS(statics::Authenticator(host.host(), call.call()), skh::Error);
  }
}
