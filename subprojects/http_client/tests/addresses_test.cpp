// SPDX-License-Identifier: Apache-2.0
// Tests which addresses may be requested, and through which proxy.
#include "catch2.hpp"
#include "http_client/address_guard.hpp"
#include "proxy.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <cstdlib>
#include <cstring>

namespace web = skillhost::web;

namespace {

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
  return web::isPrivateAddress(*reinterpret_cast<const sockaddr *>(&storage));
}

} // namespace

TEST_CASE("names may not lead to addresses of this network") {
  for (const char *text :
       {"127.0.0.1", "10.1.2.3", "172.31.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
        "0.0.0.0", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fd00:ec2::254",
        "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:7f00:1::", "ff02::1",
        // Disguised addresses: Teredo, and an IPv4 address that only a local IPv6 translator knows.
        "2001::a00:1", "64:ff9b:1::8c52:7903"}) {
    CAPTURE(text);
    CHECK(isPrivate(text));
  }
  for (const char *text :
       {"140.82.121.3", "172.32.0.1", "2606:50c0:8000::153", "::ffff:140.82.121.3"}) {
    CAPTURE(text);
    CHECK_FALSE(isPrivate(text));
  }
  CHECK(web::namesAddress("localhost"));
  CHECK(web::namesAddress("10.0.0.1"));
  CHECK(web::namesAddress("[::1]"));
  for (const char *host : {"127.1", "2130706433", "0x7f.0.0.1", "localhost.example.org", "::1"})
    CHECK_FALSE(web::namesAddress(host));
}

TEST_CASE("the environment's proxy is taken but for what it exempts") {
  ::setenv("https_proxy", "http://proxy.example.org:3128", 1);
  ::setenv("no_proxy", "inside.example.org, .local,other.net", 1);
  CHECK(web::proxyFor("github.com") == "http://proxy.example.org:3128");
  for (const char *host : {"inside.example.org", "a.inside.example.org", "git.local", "other.net"})
    CHECK(web::proxyFor(host).empty());
  CHECK_FALSE(web::proxyFor("another.net").empty());
  ::setenv("no_proxy", "*", 1);
  CHECK(web::proxyFor("github.com").empty());
  ::unsetenv("https_proxy");
  ::unsetenv("no_proxy");
}
