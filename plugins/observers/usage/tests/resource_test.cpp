// SPDX-License-Identifier: Apache-2.0
// Tests skillhost://usage as a manager reads it.
#include "awaited.hpp"
#include "mcp/own_resources.hpp"
#include "reader.hpp"
#include "recorded.hpp"
#include "usage/usage_resource.hpp"

using namespace skillhost;

namespace {

// A server that has the resource, and a client that has loaded one of its skills.
class UsedServer {
public:
  explicit UsedServer(const std::shared_ptr<UsageRecorder> &usage)
      : of_(std::make_shared<SkillsInMemory>(threeSkills()), ServerOfTest::settings(),
            parts(usage)),
        session_(of_.server.open(
            [this](const Fragments &message) { answers_.push(Json::parse(message.text())); })) {
    ask("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                      R"("clientInfo":{"name":"t","version":"1"}})");
    ask("tools/call", R"({"name":"load_skill","arguments":{"skill_name":"greeter"}})");
  }
  ~UsedServer() { session_->close(); }
  UsedServer(const UsedServer &) = delete;
  UsedServer &operator=(const UsedServer &) = delete;

  Json told() {
    const Json answer = ask("resources/read", R"({"uri":"skillhost://usage"})");
    INFO(answer.dump());
    return Json::parse(answer.at("result").at("contents").at(0).at("text").get<std::string>());
  }

private:
  static ServerParts parts(const std::shared_ptr<UsageRecorder> &usage) {
    ServerParts made;
    if (usage) made.observers = Observers({usage});
    made.resources.push_back(usageResource(usage));
    return made;
  }
  // Waits for the answer, which may come from another thread.
  Json ask(const std::string &method, const std::string &params) {
    session_->receive(R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":)" + params +
                      "}");
    return answers_.next();
  }

  Awaited<Json> answers_;
  ServerOfTest of_;
  const std::shared_ptr<Session> session_;
};

} // namespace

TEST_CASE("where nothing is recorded the resource says so") {
  UsedServer server(nullptr);
  CHECK(server.told() == Json{{"enabled", false}});
}

TEST_CASE("the resource has what calls did") {
  const UsageFolder folder;
  const auto usage = std::make_shared<UsageRecorder>(folder.settings(), quickly());
  UsedServer server(usage);
  REQUIRE(usage->flush(usagePatience));
  const Json told = server.told();
  INFO(told.dump());
  CHECK(told.at("enabled") == true);
  CHECK(told.at("skills").at(0).at("name") == "greeter");
  CHECK(told.at("skills").at(0).at("loads") == 1);
}
