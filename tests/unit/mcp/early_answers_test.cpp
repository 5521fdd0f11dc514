// SPDX-License-Identifier: Apache-2.0
// Tests that a client that was answered early is notified of the later lists.
#include "catch2.hpp"
#include "ground/guarded.hpp"
#include "mcp/server.hpp"
#include "provider.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

using namespace skillhost;

namespace {

// A server whose library has not started, and a client that is answered at once.
struct Early {
  Library library{SkillRules{}, std::chrono::milliseconds(1)};
  Server server;
  Guarded<std::vector<Json>> sent;
  std::shared_ptr<Session> session;

  explicit Early(ProtocolSettings settings) : server(std::move(settings), library, nullptr) {
    session = server.open([this](const Fragments &message) {
      sent.with([&](auto &all) { all.push_back(Json::parse(message.text())); });
    });
    ask("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                      R"("clientInfo":{"name":"t","version":"1"}})");
    session->receive(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  }
  ~Early() { session->close(); }
  void ask(const std::string &method, const std::string &params) {
    session->receive(R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":)" + params +
                     "}");
    REQUIRE(session->waitUntilIdle(std::chrono::minutes(1)));
  }
  bool told(const std::string &method) const {
    return sent.with([&](const auto &all) {
      return std::any_of(all.begin(), all.end(),
                         [&](const Json &one) { return one.value("method", "") == method; });
    });
  }
};

ProtocolSettings settings() {
  ProtocolSettings settings;
  settings.toolPlugins = true;
  settings.startupWait = std::chrono::milliseconds(0);
  return settings;
}

} // namespace

TEST_CASE("who has a list of tools without those of plugins is told when these come") {
  Early early(settings());
  early.ask("tools/list", "{}");
  CHECK_FALSE(early.told("notifications/tools/list_changed"));
  early.server.servePluginTools({std::make_shared<Provider>(toolsNamed("late"))});
  CHECK(early.told("notifications/tools/list_changed"));
}

TEST_CASE("who has asked for nothing yet is not told of the first lists") {
  Early early(settings());
  early.server.servePluginTools({std::make_shared<Provider>(toolsNamed("late"))});
  CHECK_FALSE(early.told("notifications/tools/list_changed"));
}
