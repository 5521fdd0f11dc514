// SPDX-License-Identifier: Apache-2.0
// Addresses, settings, the schedule and the guard of network addresses, each by itself.
#include "catch2.hpp"
#include "github/settings.hpp"
#include "remote/address_guard.hpp"
#include "remote/proxy.hpp"
#include "remote/schedule.hpp"

#include <skillhost/plugin.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>

#include <cstdlib>
#include <cstring>

using namespace skillhost::github;
namespace remote = skillhost::remote;

namespace {

Address address(const std::string &written) { return {written, "https://github.com"}; }

bool isPrivate(const char *text) {
  sockaddr_storage storage{};
  sockaddr_in four{};
  sockaddr_in6 six{};
  if (::inet_pton(AF_INET, text, &four.sin_addr) == 1) {
    four.sin_family = AF_INET;
    std::memcpy(&storage, &four, sizeof four);
  } else {
    REQUIRE(::inet_pton(AF_INET6, text, &six.sin6_addr) == 1);
    six.sin6_family = AF_INET6;
    std::memcpy(&storage, &six, sizeof six);
  }
  return remote::isPrivateAddress(*reinterpret_cast<const sockaddr *>(&storage));
}

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

TEST_CASE("names may not lead to addresses of this network") {
  for (const char *text :
       {"127.0.0.1", "10.1.2.3", "172.31.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
        "0.0.0.0", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fd00:ec2::254",
        "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:7f00:1::", "ff02::1"}) {
    CAPTURE(text);
    CHECK(isPrivate(text));
  }
  for (const char *text :
       {"140.82.121.3", "172.32.0.1", "2606:50c0:8000::153", "::ffff:140.82.121.3"}) {
    CAPTURE(text);
    CHECK_FALSE(isPrivate(text));
  }
  CHECK(remote::namesAddress("localhost"));
  CHECK(remote::namesAddress("10.0.0.1"));
  CHECK(remote::namesAddress("[::1]"));
  for (const char *host : {"127.1", "2130706433", "0x7f.0.0.1", "localhost.example.org", "::1"})
    CHECK_FALSE(remote::namesAddress(host));
}

TEST_CASE("the remote is asked when the clock is full") {
  using namespace std::chrono;
  const auto at = [](int h, int m, int s) {
    return system_clock::time_point(hours(h) + minutes(m) + seconds(s));
  };
  CHECK(remote::untilNextLook(at(10, 20, 0), minutes(60), seconds(0)) == minutes(40));
  CHECK(remote::untilNextLook(at(10, 0, 0), minutes(60), seconds(0)) == minutes(60));
  CHECK(remote::untilNextLook(at(10, 20, 30), minutes(15), seconds(0)) ==
        minutes(10) - seconds(30));
  CHECK(remote::untilNextLook(at(10, 20, 0), minutes(60), minutes(330)) == minutes(10)); // +05:30
  CHECK(remote::untilNextLook(at(0, 20, 0), minutes(60), -hours(5)) == minutes(40));
}

TEST_CASE("failures are tried again later each time") {
  using std::chrono::seconds;
  remote::BackOff backOff;
  CHECK(backOff.failed({}) == seconds(30));
  CHECK(backOff.failed({}) == seconds(60));
  CHECK(backOff.failed(seconds(600)) == seconds(600));
  for (int i = 0; i < 10; ++i) backOff.failed({});
  CHECK(backOff.failed({}) == seconds(3'600));
  CHECK(backOff.failed(seconds(10'000'000)) == seconds(86'400));
  backOff.succeeded();
  CHECK(backOff.failed({}) == seconds(30));
  CHECK(remote::spanText(seconds(59)) == "59 s");
  CHECK(remote::spanText(seconds(3'599)) == "59 min");
  CHECK(remote::spanText(seconds(200'000)) == "2 days");
}

TEST_CASE("the environment's proxy is taken but for what it exempts") {
  ::setenv("https_proxy", "http://proxy.example.org:3128", 1);
  ::setenv("no_proxy", "inside.example.org, .local,other.net", 1);
  CHECK(remote::proxyFor("github.com") == "http://proxy.example.org:3128");
  for (const char *host : {"inside.example.org", "a.inside.example.org", "git.local", "other.net"})
    CHECK(remote::proxyFor(host).empty());
  CHECK_FALSE(remote::proxyFor("another.net").empty());
  ::setenv("no_proxy", "*", 1);
  CHECK(remote::proxyFor("github.com").empty());
  ::unsetenv("https_proxy");
  ::unsetenv("no_proxy");
}
