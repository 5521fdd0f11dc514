// SPDX-License-Identifier: Apache-2.0
// Requests that run at one replica while their client speaks to another.
#include "provider.hpp"
#include "replica.hpp"
#include "shared_streams.hpp"
#include "stream_record.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

using namespace skillhost;

namespace {

// One tool whose call runs until the test answers it.
class OpenTool final : public Provider {
public:
  OpenTool() : Provider(R"({"tools":[{"name":"open","inputSchema":{"type":"object"}}]})") {}
  void callTool(CallOptions options, Exchange exchange, std::string, std::string, std::size_t,
                Answer<std::string> answer) override {
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
    Answer<std::string> answer;
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

  // What still runs holds the server that it runs in.
  ~Replicas() { tool->running.reset(); }
  // Of a client that goes before the answer, so that its stream is written down.
  void callAndLeave(const std::string &text) {
    const Asked one = call();
    tool->tell("one");
    one.exchange->leave();
    tool->finish(text);
  }
  // How many streams the engine holds, and their bytes.
  std::pair<std::size_t, std::size_t> written() const {
    std::pair<std::size_t, std::size_t> all;
    const std::scoped_lock lock(engine->mutex);
    for (const auto &[key, value] : engine->values)
      if (key.find("stream/") != key.npos) {
        ++all.first;
        all.second += value.bytes.size();
      }
    return all;
  }
  Asked call() { return a->inSession(session, toolText("open")); }
  // The client comes back to `b` for what came after the event.
  Asked comeBack(const std::string &event) {
    return b->listen(session, {{"last-event-id", event}});
  }
  // Both have heard each other.
  void agree() {
    a->hearAllOf(*b);
    b->hearAllOf(*a);
  }
};

bool says(const std::pair<std::string, std::string> &event, const std::string &word) {
  return event.second.find(word) != std::string::npos;
}

} // namespace

TEST_CASE("a client that comes back to another replica hears the rest of its request") {
  Replicas of;
  const Asked first = of.call();
  of.tool->tell("one");
  REQUIRE(first.exchange->events.size() == 2); // the first tells an id alone
  const std::string last = first.exchange->events.back().first;
  first.exchange->leave();
  of.tool->tell("two");
  const Asked second = of.comeBack(last);
  of.agree();
  REQUIRE(second.exchange->opened == 1);
  REQUIRE(second.exchange->events.size() == 1);
  CHECK(says(second.exchange->events[0], "two"));
  of.tool->tell("three");
  of.tool->finish();
  second.exchange->wait();
  REQUIRE(second.exchange->events.size() == 3);
  CHECK(says(second.exchange->events[1], "three"));
  CHECK(says(second.exchange->events[2], "end"));
  CHECK(second.exchange->closed == 1);
  // Once more, for what has ended.
  const Asked third = of.comeBack(second.exchange->events[0].first);
  third.exchange->wait();
  CHECK(third.exchange->events.size() == 2);
}

TEST_CASE("the rest of a request whose connection still seems open is handed over") {
  Replicas of;
  const Asked first = of.call();
  of.tool->tell("one");
  const Asked second = of.comeBack(first.exchange->events.back().first);
  of.agree();
  CHECK(first.exchange->closed == 1);
  of.tool->finish();
  second.exchange->wait();
  REQUIRE(second.exchange->events.size() == 1);
  CHECK(says(second.exchange->events[0], "end"));
}

TEST_CASE("of a replica that is gone there is what it had written") {
  Replicas of;
  const Asked first = of.call();
  of.tool->tell("one");
  const std::string last = first.exchange->events.back().first;
  first.exchange->leave();
  SECTION("something") {
    of.tool->tell("two");
    of.a->state->stop(); // to the others it is gone
    const Asked second = of.comeBack(last);
    second.exchange->wait();
    REQUIRE(second.exchange->events.size() == 1);
    CHECK(says(second.exchange->events[0], "two"));
    CHECK(second.exchange->closed == 1);
  }
  SECTION("nothing new") {
    of.agree(); // what it said while it was there is no news
    of.a->state->stop();
    const Asked second = of.comeBack(last);
    second.exchange->wait();
    CHECK(second.status() == 404);
  }
}

TEST_CASE("there is nothing to go on from in a stream that never was") {
  Replicas of;
  const Asked call = of.call();
  of.tool->tell("one");
  const Asked none = of.comeBack("0123456789abcdef.1-1-1");
  none.exchange->wait();
  CHECK(none.status() == 404);
  CHECK(of.comeBack("nonsense").status() == 404);
  of.tool->finish();
}

TEST_CASE("the end of the session is the end of what is followed") {
  Replicas of;
  const Asked first = of.call();
  of.tool->tell("one");
  const Asked second = of.comeBack(first.exchange->events.front().first);
  of.agree();
  REQUIRE(second.exchange->opened == 1);
  CHECK(of.a->erase(of.session).status() == 204);
  second.exchange->wait();
  CHECK(second.exchange->closed == 1);
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
    return of.engine->operations - before - 1; // one to find the session
  };
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
  // Of another session it is none.
  const std::string other = of.a->open();
  const std::size_t before = of.engine->operations;
  CHECK(of.b->inSession(other, R"({"jsonrpc":"2.0","id":)" + asked + R"(,"result":{}})").status() ==
        202);
  CHECK(of.engine->operations - before == 1);
  of.tool->finish();
}

TEST_CASE("who may not hear a stream does not end it for who does") {
  const auto state = std::make_shared<SharedState>(
      std::make_shared<StateInMemory>(std::make_shared<StateEngine>()), sharedBySecret());
  std::vector<std::string> published;
  const auto streams = std::make_shared<SharedStreams>(
      state, [&](const char *kind, const Json &) { published.emplace_back(kind); },
      [](std::chrono::milliseconds, const std::function<void()> &) {});
  const auto session =
      std::make_shared<HttpSession>("s", "zoe", 10, Audience{}, std::make_shared<SessionShare>(),
                                    std::make_unique<SharedCopy>("place", "key", "owner"));
  const Audience manager{{}, true};
  const auto stream = std::make_shared<EventStream>(1, 10, manager);
  const auto listener = std::make_shared<RecordingExchange>(HttpRequest{});
  REQUIRE(stream->attach(listener, {}, std::nullopt, false, manager));
  const std::string audience = state->keyed("audience", {manager.key.mark()});
  streams->asked(session, 1, stream, {true, "another", true});
  streams->asked(session, 1, stream, {true, audience, false});
  CHECK(listener->closed == 0);
  CHECK(published == std::vector<std::string>{"stream", "stream"}); // there is nothing for them
  streams->asked(session, 1, stream, {true, audience, true});
  CHECK(listener->closed == 1);
  state->stop();
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
    of.engine->setAway(true);
    CHECK(of.b->ping(of.session) == 200); // finds out
    for (const std::string &body : {response, cancel}) {
      const Asked refused = of.b->inSession(of.session, body);
      CHECK(refused.status() == 503);
      CHECK(!refused.field("Retry-After").empty());
    }
    // What nobody has asked for needs no engine.
    CHECK(of.b->inSession(of.session, R"({"jsonrpc":"2.0","id":1,"result":{}})").status() == 202);
    of.engine->setAway(false);
    of.b->untilBack();
    CHECK(of.b->inSession(of.session, response).status() == 202); // it was not spent
  };
  CHECK(of.tool->running->exchange.ask("sampling/createMessage", R"({"messages":[]})"));
  CHECK(!response.empty());
  of.tool->finish();
}

TEST_CASE("made-up names of requests and events reach the other replicas a few times a second") {
  Replicas of;
  const std::string made = "0123456789abcdef.1-1-1";
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
  refused = 0;
  std::vector<Asked> asked;
  for (int i = 0; i < 100; ++i) asked.push_back(of.comeBack(made));
  for (const Asked &one : asked) {
    one.exchange->wait(); // the others are waited for on another thread
    refused += one.status() == 429 ? 1 : 0;
  }
  CHECK(refused > 0);
  CHECK(of.b->ping(of.session) == 200); // all else goes on
}

TEST_CASE("the engine holds no more streams of a session than can be gone on from") {
  Replicas of;
  for (int i = 0; i < 100; ++i) of.callAndLeave("end");
  CHECK(of.written().first > 10);
  CHECK(of.written().first <= 64);
  // And of the session's last one there is what is to be there.
  const Asked call = of.call();
  of.tool->tell("one");
  const std::string last = call.exchange->events.back().first;
  call.exchange->leave();
  of.tool->finish("the very end");
  const Asked again = of.comeBack(last);
  again.exchange->wait();
  REQUIRE(again.exchange->events.size() == 1);
  CHECK(says(again.exchange->events[0], "the very end"));
  // When it ends there is none.
  CHECK(of.a->erase(of.session).status() == 204);
  CHECK(of.written().first == 0);
}

TEST_CASE("the engine holds no more bytes of the streams of a session than a share of memory") {
  Replicas of;
  const std::string text(300U << 10U, 'x');
  for (int i = 0; i < 20; ++i) {
    of.callAndLeave(text);
    CHECK(of.written().second <= (2U << 20U) + (4U << 10U));
  }
  CHECK(of.written().second > (1U << 20U));
}

TEST_CASE("what runs when its session ends leaves nothing in the engine") {
  Replicas of;
  const Asked call = of.call();
  of.tool->tell("one");
  call.exchange->leave();
  of.tool->tell("two");
  CHECK(of.written().first == 1);
  CHECK(of.a->erase(of.session).status() == 204);
  CHECK(of.written().first == 0);
}
