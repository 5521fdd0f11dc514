// SPDX-License-Identifier: Apache-2.0
// Tests the reuse of request ids. A client may use an id again as soon as it has the answer, which
// may be before the thread that answered has removed the request from the running ones.
#include "catch2.hpp"
#include "conversation.hpp"
#include "ground/guarded.hpp"
#include "mcp/client_session.hpp"
#include "mcp/services.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace skillhost;

namespace {

// The client of one request: runs the test's function at each message, on the thread that sends it.
class Channel final : public ReplyChannel {
public:
  std::function<void()> atTold, atAnswer;
  std::vector<Json> told, answers;
  RequestOrigin from;

  std::string_view origin() const override { return "from 192.0.2.1:4711 request=r trace=t"; }
  const RequestOrigin &requestOrigin() const override { return from; }
  void sendMessage(Fragments message) override {
    told.push_back(Json::parse(message.text()));
    if (atTold) atTold();
  }
  void answer(Fragments message, int) override {
    answers.push_back(Json::parse(message.text()));
    if (atAnswer) atAnswer();
  }
};

struct OneSession {
  Library library{SkillRules{}, std::chrono::milliseconds(1)};
  std::shared_ptr<Services> services =
      std::make_shared<Services>(ProtocolSettings(), library, nullptr, nullptr);
  std::shared_ptr<ClientSession> session = std::make_shared<ClientSession>(
      services, [](const Fragments &) {}, ClientSession::Client::OneOfMany, "test");
  ~OneSession() { session->close(); }

  static Message message(const std::string &method, const std::string &params) {
    ParsedMessage parsed = skillhost::parseMessage(
        R"({"jsonrpc":"2.0","id":7,"method":")" + method + R"(","params":)" + params + "}", 1000);
    REQUIRE(parsed.message);
    return *std::move(parsed.message);
  }
  void discover(const std::shared_ptr<Channel> &channel) {
    session->accept(message("server/discover", "{" + modernMeta + "}"), channel);
  }
  // Opens a subscription that stays open until it is ended.
  void listen(const std::shared_ptr<Channel> &channel) {
    session->accept(message("subscriptions/listen",
                            R"({"notifications":{"toolsListChanged":true},)" + modernMeta + "}"),
                    channel);
  }
  CallPointer call(const std::shared_ptr<Channel> &channel) {
    return std::make_shared<Call>(session, channel, message("ping", "{}"), ProtocolFamily::Legacy);
  }
};

} // namespace

TEST_CASE("the id of a request is free when its client has the answer") {
  OneSession one;
  const auto first = std::make_shared<Channel>(), second = std::make_shared<Channel>();
  first->atAnswer = [&] { one.discover(second); };
  one.discover(first);
  REQUIRE(first->answers.size() == 1);
  REQUIRE(second->answers.size() == 1);
  INFO(second->answers[0].dump());
  CHECK(second->answers[0].contains("result"));
  CHECK(one.session->idle());
}

TEST_CASE("the id of a request is not free before") {
  OneSession one;
  const auto first = std::make_shared<Channel>(), second = std::make_shared<Channel>();
  one.listen(first);
  REQUIRE(first->answers.empty());
  one.discover(second);
  REQUIRE(second->answers.size() == 1);
  CHECK(second->answers[0]["error"]["message"] == "a request of this id is still running");
  one.session->cancel("7");
  CHECK(one.session->idle());
}

TEST_CASE("a request that ends takes no other of its id along") {
  OneSession one;
  const auto first = std::make_shared<Channel>(), second = std::make_shared<Channel>(),
             third = std::make_shared<Channel>();
  first->atAnswer = [&] { one.listen(second); };
  one.discover(first);
  REQUIRE(first->answers.size() == 1);
  // The second request still runs: its id is taken, and it receives changes.
  REQUIRE(second->answers.empty());
  REQUIRE(second->told.size() == 1);
  CHECK_FALSE(one.session->idle());
  one.discover(third);
  REQUIRE(third->answers.size() == 1);
  CHECK(third->answers[0].contains("error"));
  // The end finds it by its id, and a third subscription of that id survives.
  second->atAnswer = [&] { one.listen(third); };
  one.session->endSubscriptions();
  CHECK(second->answers.size() == 1);
  CHECK(third->told.size() == 1);
  CHECK_FALSE(one.session->idle());
  CHECK(one.session->waitUntilIdle(std::chrono::milliseconds(0))); // except for a subscription
  one.session->cancel("7");
  CHECK(one.session->idle());
}

TEST_CASE("a call that ends answers no question of another of its id") {
  OneSession one;
  const auto channel = std::make_shared<Channel>();
  const CallPointer first = one.call(channel), second = one.call(channel);
  PendingClientRequests &questions = one.session->clientRequests;
  channel->atTold = [&] {
    questions.onCallEnded(*first);
    Message response;
    response.kind = Message::Kind::Response;
    response.id = channel->told.back()["id"].dump();
    response.params = Json{{"roots", Json::array()}};
    questions.onResponse(response);
  };
  const Result<std::string> answer = questions.ask(*second, "roots/list", {});
  REQUIRE(answer);
  CHECK(*answer == R"({"roots":[]})");
  channel->atTold = [&] { questions.onCallEnded(*second); };
  CHECK_FALSE(questions.ask(*second, "roots/list", {}));
}

TEST_CASE("the audit has the address of a caller, and no other words of its request's origin") {
  ServerOfTest of(Tokens{{{"manager", {"skills:manage"}}, {"guest", {}}}});
  StdioClient client(of);
  auto &session = dynamic_cast<ClientSession &>(client.session());
  for (const std::string token : {"manager", "guest"}) {
    const auto channel = std::make_shared<Channel>();
    channel->from.peer = "192.0.2.1:4711";
    session.accept(OneSession::message("tools/call", R"({"name":"get_server_stats","arguments":{},)"
                                                     R"("access_token":")" +
                                                         token + "\"," + modernMeta + "}"),
                   channel);
    REQUIRE(channel->answers.size() == 1);
    const std::vector<std::string> lines = of.access->audit().recent();
    REQUIRE_FALSE(lines.empty());
    const Json line = Json::parse(lines.back());
    INFO(line.dump());
    CHECK(line.at("event") == (token == "manager" ? "managed" : "refused"));
    CHECK(line.at("peer") == "192.0.2.1:4711");
  }
}
