// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "connection/settings.hpp"

using namespace skillhost;

namespace {

Status checked(std::string url, TokenSettings token = {}, HttpFields fields = {}) {
  ConnectSettings settings;
  settings.url = std::move(url);
  settings.token = std::move(token);
  settings.fields = std::move(fields);
  return checkConnectSettings(settings);
}

const TokenSettings token{"TOKEN", {}, {}};

} // namespace

TEST_CASE("a token goes over TLS, or stays on this machine") {
  CHECK(checked("https://skills.example/mcp", token));
  CHECK(checked("http://127.0.0.1:8000/mcp", token));
  CHECK(checked("http://localhost/mcp", token));
  CHECK(checked("http://[::1]:8/mcp", token));
  CHECK(checked("http://skills.example/mcp"));
  CHECK_FALSE(checked("http://skills.example/mcp", token));
  CHECK_FALSE(checked("http://127.evil.example/mcp", token));
  CHECK_FALSE(checked("http://localhost.evil.example/mcp", token));
  CHECK_FALSE(checked("http://skills.example/mcp", {}, {{"Authorization", "Bearer x"}}));
  CHECK_FALSE(checked("http://skills.example/mcp", {}, {{"X-Api-Key", "x"}}));
  CHECK(checked("http://skills.example/mcp", {}, {{"X-Team", "x"}}));
  ConnectSettings told;
  told.fields = {{"X-Team", "x"}};
  told.fieldsHoldSecret = true;
  told.url = "http://skills.example/mcp";
  CHECK_FALSE(checkConnectSettings(told));
  told = {};
  told.url = "http://skills.example/mcp";
  told.token = token;
  told.allowPlainToken = true;
  CHECK(checkConnectSettings(told));
}

TEST_CASE("what is no URL of a server is refused") {
  for (const char *url : {"", "skills", "ftp://x/y", "https://", "https://u:p@x/", "https://x/#y",
                          "file:///etc/passwd"}) {
    INFO(url);
    CHECK_FALSE(checked(url));
  }
}

TEST_CASE("fields cannot break the request, nor take the place of ours") {
  CHECK(checked("https://x/", {}, {{"X-Team", "blue"}}));
  CHECK_FALSE(checked("https://x/", {}, {{"X-Team", "blue\r\nX: y"}}));
  CHECK_FALSE(checked("https://x/", {}, {{"X Team", "blue"}}));
  CHECK_FALSE(checked("https://x/", {}, {{"mcp-session-id", "1"}}));
  CHECK_FALSE(checked("https://x/", token, {{"authorization", "Basic x"}}));
  CHECK_FALSE(checked("https://x/", {"A", "/b", {}}));
}
