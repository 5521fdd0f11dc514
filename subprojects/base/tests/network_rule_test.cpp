// SPDX-License-Identifier: Apache-2.0
// Tests which hosts a rule permits.
#include "base/network_rule.hpp"
#include "catch2.hpp"

#include <cstdint>
#include <string>
#include <vector>

using namespace skillhost;

namespace {

NetworkRule ruleOf(const std::vector<std::string> &patterns) {
  NetworkRule rule;
  rule.mode = NetworkRule::Mode::Hosts;
  for (const std::string &text : patterns) {
    const Result<HostPattern> pattern = HostPattern::parse(text);
    INFO(text << (pattern ? "" : ": " + pattern.failure().message));
    REQUIRE(pattern);
    rule.hosts.push_back(*pattern);
  }
  return rule;
}

bool names(const NetworkRule &rule, const std::string &host, unsigned port = 443) {
  const auto name = HostName::of(host);
  INFO(host);
  REQUIRE(name);
  return rule.names(*name, static_cast<std::uint16_t>(port));
}

bool isPublic(const std::string &host) {
  const auto name = HostName::of(host);
  INFO(host);
  REQUIRE(name);
  REQUIRE(name->address);
  return isPublicAddress(*name->address);
}

} // namespace

TEST_CASE("a rule names hosts as they are compared everywhere") {
  const NetworkRule rule =
      ruleOf({"API.GitHub.com", "*.example.org:8443", "xn--bcher-kva.example"});
  CHECK(names(rule, "api.github.com"));
  CHECK(names(rule, "API.GITHUB.COM."));
  CHECK(names(rule, "api.github.com", 80));
  CHECK(names(rule, "XN--Bcher-Kva.example"));
  CHECK(names(rule, "a.example.org", 8443));
  CHECK(names(rule, "a.b.example.org", 8443));
  CHECK_FALSE(names(rule, "api.github.com", 8443));
  CHECK_FALSE(names(rule, "a.example.org"));
  CHECK_FALSE(names(rule, "example.org", 8443));
  CHECK_FALSE(names(rule, "evilexample.org", 8443));
  CHECK_FALSE(names(rule, "api.github.com.evil.example"));
  CHECK_FALSE(names(rule, "xapi.github.com"));
  CHECK_FALSE(names(rule, "140.82.112.5"));
  CHECK(rule.text() == "api.github.com, *.example.org:8443, xn--bcher-kva.example");
}

TEST_CASE("an address is one in every spelling") {
  const NetworkRule rule =
      ruleOf({"192.0.2.1", "[2001:DB8:0::1]:8080", "10.0.0.0/8", "[fd00::]/8:81"});
  CHECK(names(rule, "192.0.2.1"));
  CHECK(names(rule, "[::ffff:192.0.2.1]"));
  CHECK(names(rule, "[2001:db8::1]", 8080));
  CHECK(names(rule, "[2001:db8:0:0::1]", 8080));
  CHECK_FALSE(names(rule, "[2001:db8::1]"));
  CHECK(names(rule, "10.255.0.1"));
  CHECK_FALSE(names(rule, "10.255.0.1", 22));
  CHECK_FALSE(names(rule, "11.0.0.1"));
  CHECK(names(rule, "[fd12::1]", 81));
  CHECK_FALSE(names(rule, "[fe80::1]", 81));
  // A permitted name may lead to an address that the rule permits itself, or to any public address.
  CHECK(rule.reaches(*HostName::of("10.1.2.3")->address, 443));
  CHECK_FALSE(rule.reaches(*HostName::of("10.1.2.3")->address, 8080));
  CHECK_FALSE(rule.reaches(*HostName::of("127.0.0.1")->address, 443));
  CHECK(rule.reaches(*HostName::of("140.82.112.5")->address, 8080));
}

TEST_CASE("what a resolver would take for another host is none") {
  for (const char *text : {"",
                           ".",
                           "..",
                           "a..b",
                           ".a",
                           "a b",
                           "a/b",
                           "a@b",
                           "a:b",
                           "127.1",
                           "0x7f.1",
                           "2130706433",
                           "1.2.3.4.5",
                           "a.0x7f",
                           "a.1",
                           "[",
                           "[]",
                           "[::1",
                           "::1",
                           "[fe80::1%eth0]",
                           "b\xC3\xBC"
                           "cher.example",
                           "a\nb",
                           "*",
                           "*.a",
                           "%61.example"}) {
    INFO(text);
    CHECK_FALSE(HostName::of(text));
  }
  CHECK_FALSE(HostName::of(std::string(64, 'a') + ".example"));
  CHECK_FALSE(HostName::of(std::string("a\0b", 3)));
  for (const char *text :
       {"", "*", "https://a.example", "a.example/", "a.example:", "a.example:0", "a.example:65536",
        "a.example:http", "*.", "*.1.2.3.4", "*a.example", "a.*.example", "::1", "::1/200",
        "10.0.0.0/33", "10.0.0.0/8:0", "a/8", "[::1]x",
        "b\xC3\xBC"
        "cher.example"}) {
    INFO(text);
    CHECK_FALSE(HostPattern::parse(text));
  }
}

TEST_CASE("modes that name no hosts") {
  NetworkRule rule;
  CHECK(names(rule, "a.example", 1));
  CHECK(rule.reaches(*HostName::of("127.0.0.1")->address, 1));
  rule.mode = NetworkRule::Mode::None;
  CHECK_FALSE(names(rule, "a.example"));
  CHECK_FALSE(rule.reaches(*HostName::of("140.82.112.5")->address, 443));
}

TEST_CASE("an address that is not given out to the world is no public one") {
  for (const char *text : {"140.82.112.5", "8.8.8.8", "[2606:4700::1]", "[64:ff9b::8c52:7005]"})
    CHECK(isPublic(text));
  for (const char *text :
       {"0.0.0.0",           "10.0.0.1",        "100.64.0.1",    "127.0.0.1",
        "169.254.169.254",   "172.16.0.1",      "192.168.1.1",   "198.18.0.1",
        "224.0.0.1",         "255.255.255.255", "[::]",          "[::1]",
        "[fe80::1]",         "[fc00::1]",       "[ff02::1]",     "[::ffff:127.0.0.1]",
        "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[2001:db8::1]", "[2001::1]",
        "[::127.0.0.1]"})
    CHECK_FALSE(isPublic(text));
}
