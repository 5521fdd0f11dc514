// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "net/allowed_origin.hpp"

#include <string>

using namespace skillhost;

namespace {

std::string refused(const char *host, const char *origin, const AllowedOrigins &rules) {
  HttpRequest request;
  if (host != nullptr) request.fields.push_back({"host", host});
  if (origin != nullptr) request.fields.push_back({"origin", origin});
  return foreignOrigin(request, rules);
}

} // namespace

TEST_CASE("Host and Origin must be those of this server") {
  AllowedOrigins rules;
  rules.hosts = {"localhost", "127.0.0.1", "[::1]"};
  rules.origins = {"https://tool.example"};
  for (const char *host : {"localhost", "LOCALHOST:80", "127.0.0.1:8080", "[::1]", "[::1]:8080"})
    CHECK(refused(host, nullptr, rules).empty());
  for (const char *host : {"", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example",
                           "localhost@evil.example", "[::1", "[::2]:80"})
    CHECK_FALSE(refused(host, nullptr, rules).empty());
  CHECK_FALSE(refused(nullptr, nullptr, rules).empty());
  for (const char *origin :
       {"http://localhost:6274", "https://127.0.0.1", "https://tool.example", "http://[::1]:1"})
    CHECK(refused("localhost", origin, rules).empty());
  for (const char *origin : {"null", "", "https://evil.example", "https://tool.example.evil",
                             "https://tool.example:8443", "localhost", "http://localhost/x",
                             "http://localhost:80/x", "http://u@localhost", "http://localhost@x",
                             "http://localhost:x", "http://localhost:80:1", "http://localhost?x"})
    CHECK_FALSE(refused("localhost", origin, rules).empty());
}

TEST_CASE("without a list of hosts only a page of a numbered host may ask") {
  const AllowedOrigins rules{};
  CHECK(refused("skills.example:8080", nullptr, rules).empty());
  CHECK(refused("192.0.2.7:8080", "http://192.0.2.7:8080", rules).empty());
  CHECK(refused("[2001:db8::1]:8080", "http://[2001:db8::1]:8080", rules).empty());
  // The owner of a page may have pointed a name at this machine.
  CHECK_FALSE(refused("skills.example:8080", "http://skills.example:8080", rules).empty());
  CHECK_FALSE(refused("skills.example:8080", "http://evil.example", rules).empty());
  AllowedOrigins all;
  all.origins = {"*"};
  CHECK(refused("skills.example", "http://evil.example", all).empty());
}
