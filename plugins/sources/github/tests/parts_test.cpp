// SPDX-License-Identifier: Apache-2.0
// Tests addresses and settings on their own.
#include "catch2.hpp"
#include "github/settings.hpp"

#include <skillhost/plugin.hpp>

using namespace skillhost::github;

namespace {

Address address(const std::string &written) { return {written, "https://github.com"}; }

} // namespace

TEST_CASE("addresses are read in every usual form") {
  CHECK(address("https://GitHub.com/o/n.git/").url == "https://github.com/o/n.git");
  CHECK(address("o/n").url == "https://github.com/o/n");
  CHECK(Address("o/n", "https://git.example.org").host == "git.example.org");
  CHECK(address("https://[2001:db8::1]:8443/r").host == "[2001:db8::1]");
  CHECK(address("https://[2001:db8::1]:8443/r").port == "8443");
  CHECK(address("http://127.0.0.1:8080/r").scheme == Scheme::http);
  CHECK(address("/srv/r.git").url == "file:///srv/r.git");
  CHECK(address("/srv/r.git").name == "r");
  const Address shorter = address("git@example.org:team/r.git");
  CHECK(shorter.scheme == Scheme::ssh);
  CHECK((shorter.user == "git" && shorter.host == "example.org" && shorter.path == "team/r.git"));
  CHECK(shorter.name == "r");
  const Address longer = address("ssh://git@example.org:2222/~me/r");
  CHECK((longer.port == "2222" && longer.path == "~me/r"));
  CHECK(address("https://github.com/o/n.git").page() == "https://github.com/o/n");
  CHECK(shorter.page().empty());
}

TEST_CASE("addresses that are no good are refused, and no secret is repeated") {
  for (const char *written : {"",
                              "git://example.org/r",
                              "http://example.org/r",
                              "https://u:hidden@example.org/r",
                              "https://hidden@example.org/r",
                              "https:///r",
                              "https://example.org",
                              "https://example.org/",
                              "ftp://example.org/r",
                              "name",
                              "a/b/c",
                              "-o/n",
                              "ssh://-oProxyCommand=x/r",
                              "-u@example.org:r",
                              "u@-example.org:r",
                              "https://example.org/r?x=1",
                              "https://a b/r",
                              "ssh://u:hidden@h/r",
                              "https://example.org:x/r",
                              "file://host/r"}) {
    CAPTURE(written);
    try {
      address(written);
      FAIL("taken");
    } catch (const skh::Error &error) {
      CHECK(error.status() == SKH_INVALID);
      CHECK(std::string(error.what()).find("hidden") == std::string::npos);
    }
  }
}

TEST_CASE("settings say which key is wrong") {
  const auto refused = [](const std::string &more) -> std::string {
    try {
      const Settings settings(std::string_view(R"({"url": "o/n", )" + more + "}"));
      return "taken";
    } catch (const skh::Error &error) {
      return std::string(error.what()).substr(0, std::string(error.what()).find(':'));
    }
  };
  CHECK(refused(R"("pin": "abc")") == "pin");
  CHECK(refused(R"("ref": "a..b")") == "ref");
  CHECK(refused(R"("ref": "--upload-pack=x")") == "ref");
  CHECK(refused(R"("subpath": "a/../../b")") == "subpath");
  CHECK(refused(R"("include": ["/a"])") == "include");
  CHECK(refused(R"("token": "a\nb")") == "token");
  CHECK(refused(R"("via": "ftp")") == "via");
  CHECK(refused(R"("refresh_minutes": -1)") == "refresh_minutes");
  CHECK(refused(R"("subpath": "./a/")") == "taken");
  CHECK_THROWS_AS(Settings(R"({"url": "git@h:r", "token": "t"})"), skh::Error);
}
