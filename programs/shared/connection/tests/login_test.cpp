// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "login/discovery.hpp"
#include "login/kept_login.hpp"
#include "temporary_folder.hpp"

#include <sys/stat.h>

using namespace skillhost;

TEST_CASE("a parameter of a challenge is found among the others") {
  const std::string challenge =
      R"(Bearer realm="a, scope=\"no\"", resource_metadata="https://a.example/m", scope=read, x="")";
  CHECK(challengeParameter(challenge, "resource_metadata") == "https://a.example/m");
  CHECK(challengeParameter(challenge, "scope") == "read");
  CHECK(challengeParameter(challenge, "realm") == R"(a, scope="no")");
  CHECK(challengeParameter(challenge, "x").empty());
  CHECK(challengeParameter(challenge, "y").empty());
  CHECK(challengeParameter(R"(Bearer scope="open)", "scope") == "open");
  CHECK(challengeParameter(R"(Bearer scope="open\)", "scope") == "open\\");
  CHECK(challengeParameter("Bearer scope=", "scope").empty());
}

TEST_CASE("what a server elsewhere names does not reach this machine") {
  Web web{"", std::chrono::milliseconds(100), true, "test", -1};
  for (const char *url :
       {"http://127.0.0.1:9/register", "https://localhost:9/token", "http://[::1]:9/x"}) {
    const Result<WebAnswer> answer = request(web, url, {});
    REQUIRE_FALSE(answer);
    CHECK(answer.failure().fault == Fault::Denied);
  }
  web.allowLoopback = true;
  CHECK(request(web, "http://127.0.0.1:9/register", {}).failure().fault == Fault::Unavailable);
}

TEST_CASE("form fields survive the way there and back") {
  const FormFields fields{{"a", "x y&z=1+%/?#"}, {"b", ""}, {"c", "\xC3\xBC"}};
  CHECK(formDecoded(formEncoded(fields)) == fields);
  CHECK(valueOf(formDecoded("a=1&a=2&=3&b&c=%zz"), "a") == "1");
  CHECK(valueOf(formDecoded("state=a%00b"), "state").empty()); // no text contains a NUL
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
