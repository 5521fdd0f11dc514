// SPDX-License-Identifier: Apache-2.0
// These tests show the resources of features beside those of the server.
#include "mcp/authorization.hpp"
#include "mcp/own_resources.hpp"
#include "reader.hpp"

using namespace skillhost;

namespace {

OwnResource tellingUri(std::string uri, std::string listed, Permission need = Permission::Manage) {
  return {std::move(uri), std::move(listed), need,
          [](const CallPointer &call, const std::string &asked) {
            answerOwnResource(call, asked, {{"asked for", asked}});
          }};
}

std::vector<OwnResource> ofFeatures() {
  return {tellingUri("skillhost://histories/", {}),
          tellingUri("skillhost://weather", R"({"uri":"skillhost://weather","name":"weather"})",
                     Permission::Review),
          tellingUri("skillhost://tides", R"({"uri":"skillhost://tides","name":"tides"})")};
}

Json told(StdioClient &client, const std::string &uri) {
  const Json answer = client.ask("resources/read", R"({"uri":")" + uri + R"("})");
  INFO(answer.dump());
  return Json::parse(answer.at("result").at("contents").at(0).at("text").get<std::string>());
}

} // namespace

TEST_CASE("resources of features are listed after the server's own, and read like them") {
  ServerOfTest of(std::make_shared<SkillsInMemory>(threeSkills()), ServerOfTest::settings(),
                  {.resources = ofFeatures()});
  StdioClient client(of);
  client.ask("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                           R"("clientInfo":{"name":"t","version":"1"}})");
  const Json all = client.ask("resources/list").at("result").at("resources");
  std::vector<std::string> uris;
  for (const Json &one : all) uris.push_back(one.at("uri"));
  REQUIRE(uris.size() > 2);
  CHECK(uris[uris.size() - 3] == "skillhost://audit");
  CHECK(uris[uris.size() - 2] == "skillhost://weather");
  CHECK(uris[uris.size() - 1] == "skillhost://tides");
  CHECK(told(client, "skillhost://weather") == Json{{"asked for", "skillhost://weather"}});
  CHECK(told(client, "skillhost://histories/a/b?version=3") ==
        Json{{"asked for", "skillhost://histories/a/b?version=3"}});
  for (const char *const uri : {"skillhost://histories", "skillhost://weather/", "skillhost://"})
    CHECK(client.ask("resources/read", R"({"uri":")" + std::string(uri) + R"("})")
              .at("error")
              .at("code") == -32002);
}

TEST_CASE("reading a resource of a feature needs what the feature says") {
  const OwnResources own(ofFeatures());
  const auto need = [&](const char *uri) {
    return neededPermission(OwnTools(), own, "resources/read", Json{{"uri", uri}});
  };
  CHECK(need("skillhost://weather") == Permission::Review);
  CHECK(need("skillhost://histories/a/b") == Permission::Manage);
  CHECK(need("skillhost://stats") == Permission::Manage);
  CHECK(need("skillhost://histories") == Permission::Read);
  CHECK(neededPermission(OwnTools(), OwnResources(), "resources/read",
                         Json{{"uri", "skillhost://weather"}}) == Permission::Read);
}

TEST_CASE("a client can subscribe to a resource of a feature that tells of its changes") {
  std::function<void()> changed;
  OwnResource telling = tellingUri("skillhost://weather", R"({"uri":"skillhost://weather"})");
  telling.onChange = [&](std::function<void()> listener) { changed = std::move(listener); };
  ServerOfTest of(std::make_shared<SkillsInMemory>(threeSkills()), ServerOfTest::settings(),
                  {.resources = {telling, tellingUri("skillhost://mute", "{}")}});
  StdioClient client(of);
  client.ask("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                           R"("clientInfo":{"name":"t","version":"1"}})");
  client.say(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  REQUIRE(changed);
  changed(); // no subscription yet
  const std::size_t before = client.sent.size();
  const auto subscribe = [&](const char *uri) {
    return client.ask("resources/subscribe", R"({"uri":")" + std::string(uri) + R"("})");
  };
  CHECK(subscribe("skillhost://mute").contains("error"));
  CHECK(subscribe("skillhost://weather").contains("result"));
  CHECK(client.sent.size() == before + 2);
  changed();
  REQUIRE(client.sent.size() == before + 3);
  CHECK(client.sent.back().at("method") == "notifications/resources/updated");
  CHECK(client.sent.back().at("params").at("uri") == "skillhost://weather");
}
