// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "login/kept_login.hpp"
#include "login/web.hpp"
#include "temporary_folder.hpp"

#include <sys/stat.h>

using namespace skillhost;

TEST_CASE("what a server elsewhere names does not reach this machine") {
  WebRules web{"", std::chrono::milliseconds(100), true, "test", -1};
  for (const char *url :
       {"http://127.0.0.1:9/register", "https://localhost:9/token", "http://[::1]:9/x"}) {
    const Result<WebAnswer> answer = request(web, url, {});
    REQUIRE_FALSE(answer);
    CHECK(answer.failure().fault == Fault::Denied);
  }
  web.allowLoopback = true;
  CHECK(request(web, "http://127.0.0.1:9/register", {}).failure().fault == Fault::Unavailable);
}

TEST_CASE("a kept sign-in is private, and only for its server") {
  const TemporaryFolder folder;
  const std::string url = "https://a.example/mcp", file = loginFile(folder.path() + "/new", url);
  auto none = readLogin(file, url);
  REQUIRE(none);
  CHECK_FALSE(none->has_value());

  KeptLogin login;
  login.url = url;
  login.accessToken = "access";
  login.redirectPort = 4711;
  login.expires = 4'102'444'800;
  REQUIRE(writeLogin(file, login));
  const auto kept = readLogin(file, url);
  REQUIRE(kept);
  REQUIRE(kept->has_value());
  CHECK((*kept)->accessToken == "access");
  CHECK((*kept)->redirectPort == 4711);
  CHECK((*kept)->expires == 4'102'444'800);
  CHECK_FALSE(readLogin(file, "https://b.example/mcp"));
  REQUIRE(::chmod(file.c_str(), 0640) == 0);
  const auto open = readLogin(file, url);
  REQUIRE_FALSE(open);
  CHECK(open.failure().fault == Fault::Denied);
}
