// SPDX-License-Identifier: Apache-2.0
// Tests requests that run at one replica while their client speaks to another.
#include "provider.hpp"
#include "replica.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

using namespace skillhost;

namespace {

// A plugin with one tool, whose call runs until the test answers it.
class OpenTool final : public Provider {
public:
  OpenTool() : Provider(R"({"tools":[{"name":"open","inputSchema":{"type":"object"}}]})") {}
  void callTool(CallOptions options, Exchange exchange, std::string, std::string, std::size_t,
                ResultCallback<std::string> answer) override {
    running.emplace(Running{std::move(options), std::move(exchange), std::move(answer)});
  }
  void tell(const std::string &word) {
    REQUIRE(running->exchange.log(LogLevel::Info, "open", '"' + word + '"'));
  }
  void finish(const std::string &text = "end") {
    running->answer(R"({"content":[{"type":"text","text":")" + text + R"("}]})");
  }
  struct Running {
    CallOptions options;
    Exchange exchange;
    ResultCallback<std::string> answer;
  };
  std::optional<Running> running;
};

struct Replicas {
  std::shared_ptr<StateEngine> engine = std::make_shared<StateEngine>();
  std::shared_ptr<OpenTool> tool = std::make_shared<OpenTool>();
  std::unique_ptr<Replica> a = std::make_unique<Replica>(engine,
                                                         std::shared_ptr<ToolProvider>(tool)),
                           b = std::make_unique<Replica>(
                               engine, std::shared_ptr<ToolProvider>(std::make_shared<OpenTool>()));
  const std::string session = a->open();

  // A running call holds the server in which it runs, so it ends first.
  ~Replicas() { tool->running.reset(); }
  Asked call() { return a->inSession(session, toolText("open")); }
  // Resumes the client's stream at `b` behind the event.
  Asked comeBack(const std::string &event) {
    return b->listen(session, {{"last-event-id", event}});
  }
};

bool says(const std::pair<std::string, std::string> &event, const std::string &word) {
  return event.second.find(word) != std::string::npos;
}

} // namespace

TEST_CASE("a client that comes back to another replica is told that each list may have changed") {
  Replicas of;
  CHECK(of.a->inSession(of.session, noticeText("notifications/initialized")).status() == 202);
  const Asked first = of.call();
  of.tool->tell("one");
  REQUIRE(first.exchange->events.size() == 2); // the first event has an id alone
  const std::string last = first.exchange->events.back().first;
  first.exchange->leave();
  of.tool->finish();
  for (const std::string &event :
       {last, std::string("0123456789abcdef.1-0-1"), std::string("nonsense")}) {
    INFO(event);
    const Asked second = of.comeBack(event);
    CHECK(second.exchange->opened == 1);
    std::size_t lists = 0;
    for (const auto &[id, data] : second.exchange->events)
      lists += data.find("list_changed") != data.npos ? 1 : 0;
    CHECK(lists == 3);
    // The client's present stream is not closed for the rest of a request that runs elsewhere.
    CHECK(of.comeBack(last).status() == 404);
  }
  // The replica where the request ran has the rest of it.
  const Asked third = of.a->listen(of.session, {{"last-event-id", last}});
  REQUIRE(third.exchange->events.size() == 1);
  CHECK(says(third.exchange->events[0], "end"));
}

TEST_CASE("a cancellation reaches the replica that runs the request") {
  Replicas of;
  const Asked call = of.call();
  CHECK(!of.tool->running->options.cancel.cancelled());
  CHECK(of.b->inSession(of.session, noticeText("notifications/cancelled", R"({"requestId":7})"))
            .status() == 202);
  of.a->hearAllOf(*of.b);
  CHECK(of.tool->running->options.cancel.cancelled());
}

TEST_CASE("what the client answers reaches the replica that has asked") {
  Replicas of;
  const Asked call = of.call();
  int status = 0;
  call.exchange->atEvent = [&](const std::string &data) {
    const Json question = Json::parse(data, nullptr, false);
    if (!question.is_object() || !question.contains("id")) return;
    status = of.b->inSession(of.session, R"({"jsonrpc":"2.0","id":)" + question.at("id").dump() +
                                             R"(,"result":{"role":"assistant"}})")
                 .status();
  };
  const Result<std::string> answer =
      of.tool->running->exchange.ask("sampling/createMessage", R"({"messages":[]})");
  CHECK(status == 202);
  REQUIRE(answer);
  CHECK(*answer == R"({"role":"assistant"})");
  of.tool->finish();
}

TEST_CASE("what nobody has asked for reaches no other replica, nor does an answer twice") {
  Replicas of;
  const auto answer = [&](const std::string &id) {
    const std::size_t before = [&] {
      const std::scoped_lock lock(of.engine->mutex);
      return of.engine->operations;
    }();
    CHECK(of.b->inSession(of.session, R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{}})")
              .status() == 202);
    const std::scoped_lock lock(of.engine->mutex);
    return of.engine->operations - before;
  };
  REQUIRE(of.b->ping(of.session) == 200); // it must look the session up first
  const std::string replica = of.a->state->replica();
  for (const std::string &id :
       {std::string("7"), std::string("\"x\""), "\"skillhost-" + replica + "-1\"",
        "\"skillhost-" + replica + "-1-" + std::string(32, '0') + '"'})
    CHECK(answer(id) == 0);
  const Asked call = of.call();
  std::string asked;
  call.exchange->atEvent = [&](const std::string &data) {
    const Json question = Json::parse(data, nullptr, false);
    if (!question.is_object() || !question.contains("method") || !question.contains("id")) return;
    asked = question.at("id").dump();
    CHECK(answer(asked) == 1);
  };
  CHECK(of.tool->running->exchange.ask("sampling/createMessage", R"({"messages":[]})"));
  REQUIRE(!asked.empty());
  CHECK(answer(asked) == 0);
  // A response in another session answers nothing.
  const std::string other = of.a->open();
  const std::size_t before = of.engine->operations;
  CHECK(of.b->inSession(other, R"({"jsonrpc":"2.0","id":)" + asked + R"(,"result":{}})").status() ==
        202);
  CHECK(of.engine->operations - before == 1); // the look-up of the session
  of.tool->finish();
}

TEST_CASE("what cannot reach the other replicas is not taken") {
  Replicas of;
  const Asked call = of.call();
  const std::string cancel = noticeText("notifications/cancelled", R"({"requestId":7})");
  REQUIRE(of.b->ping(of.session) == 200);
  std::string response;
  call.exchange->atEvent = [&](const std::string &data) {
    const Json question = Json::parse(data, nullptr, false);
    if (!question.is_object() || !question.contains("method") || !question.contains("id")) return;
    response = R"({"jsonrpc":"2.0","id":)" + question.at("id").dump() + R"(,"result":{}})";
    of.b->hearAllOf(*of.a); // a later message would report that the engine is back
    of.engine->setAway(true);
    // This replica notices the outage by a read. A request would have the id of the one that is to
    // be cancelled.
    of.b->state->get("anything", std::chrono::milliseconds(0), [](const auto &) {});
    for (const std::string &body : {response, cancel}) {
      const Asked refused = of.b->inSession(of.session, body);
      CHECK(refused.status() == 503);
      CHECK(!refused.field("Retry-After").empty());
    }
    // An answer to a question that nobody asked needs no engine.
    CHECK(of.b->inSession(of.session, R"({"jsonrpc":"2.0","id":1,"result":{}})").status() == 202);
    of.engine->setAway(false);
    of.b->untilBack();
    CHECK(of.b->inSession(of.session, response).status() == 202); // it was not used up
  };
  CHECK(of.tool->running->exchange.ask("sampling/createMessage", R"({"messages":[]})"));
  CHECK(!response.empty());
  of.tool->finish();
}

TEST_CASE("made-up names of requests reach the other replicas a few times a second") {
  Replicas of;
  const auto cancelOf = [](int id) {
    return noticeText("notifications/cancelled", R"({"requestId":)" + std::to_string(id) + '}');
  };
  int refused = 0;
  for (int i = 0; i < 1000 && refused == 0; ++i) {
    const Asked one = of.b->inSession(of.session, cancelOf(1000 + i));
    if (one.status() == 202) continue;
    ++refused;
    CHECK(one.status() == 429);
    CHECK(!one.field("Retry-After").empty());
  }
  CHECK(refused > 0);
  CHECK(of.b->ping(of.session) == 200); // everything else goes on
}
