// SPDX-License-Identifier: Apache-2.0
// Tests shared state in a thread of the host and in a process of its own: the answer of each call,
// and the arguments that are refused before the plugin is called.
#include "state_backend.hpp"

#include "base/log.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>

using namespace skillhost;
using namespace running;
using namespace std::chrono_literals;

namespace {

const std::string binary("\0a\xFF\n\0", 5);

} // namespace

TEST_CASE("a value is what was put last, whatever bytes it and its key have") {
  State state(eitherIsolation());
  CHECK(state.check());
  CHECK(*state.get("absent") == std::nullopt);
  REQUIRE(state.put("key", "first"));
  REQUIRE(state.put("key", "second"));
  CHECK(*state.get("key") == "second");
  REQUIRE(state.put(binary, binary));
  CHECK(*state.get(binary) == binary);
  CHECK(*state.get(binary.substr(0, 1) + "b") == std::nullopt);
  REQUIRE(state.put("empty", ""));
  CHECK(*state.get("empty") == "");
  const std::string largest(StateBackend::maxValueBytes, '\xA5');
  const std::string longest(StateBackend::maxKeyBytes, 'k');
  REQUIRE(state.put(longest, largest));
  CHECK((*state.get(longest) == largest));
  CHECK(*state.compareAndSet(longest, largest, largest.substr(1)));
  CHECK((*state.get(longest) == largest.substr(1)));
}

TEST_CASE("a value is set only in the place of the one that is expected") {
  State state(eitherIsolation());
  CHECK_FALSE(*state.compareAndSet("key", "something", "new"));
  CHECK(*state.get("key") == std::nullopt);
  CHECK(*state.compareAndSet("key", std::nullopt, "one"));
  CHECK_FALSE(*state.compareAndSet("key", std::nullopt, "two"));
  CHECK_FALSE(*state.compareAndSet("key", "One", "two"));
  CHECK(*state.get("key") == "one");
  CHECK(*state.compareAndSet("key", "one", ""));
  // An empty value is a value.
  CHECK_FALSE(*state.compareAndSet("key", std::nullopt, "three"));
  CHECK(*state.compareAndSet("key", "", "three"));
  CHECK(*state.get("key") == "three");
}

TEST_CASE("what is erased is the value that is expected, or whatever is there") {
  State state(eitherIsolation());
  CHECK(*state.erase("key") == StateErased::Absent);
  CHECK(*state.erase("key", "value") == StateErased::Absent);
  REQUIRE(state.put("key", "value"));
  CHECK(*state.erase("key", "other") == StateErased::Other);
  CHECK(*state.erase("key", "") == StateErased::Other);
  CHECK(*state.get("key") == "value");
  CHECK(*state.erase("key", "value") == StateErased::Yes);
  REQUIRE(state.put("key", "value"));
  CHECK(*state.erase("key") == StateErased::Yes);
  CHECK(*state.get("key") == std::nullopt);
}

TEST_CASE("a counter has every sum of 64 bits, and none beyond") {
  State state(eitherIsolation());
  CHECK(*state.add("counter", 0) == 0);
  CHECK(*state.add("counter", 5) == 5);
  CHECK(*state.add("counter", -7) == -2);
  CHECK(*state.add("counter", INT64_MAX) == INT64_MAX - 2);
  CHECK(faultOf(state.add("counter", 3)) == Fault::InvalidInput);
  CHECK(*state.add("counter", 2) == INT64_MAX);
  CHECK(*state.add("low", INT64_MIN) == INT64_MIN);
  CHECK(faultOf(state.add("low", -1)) == Fault::InvalidInput);
  REQUIRE(state.put("text", "twelve"));
  CHECK(faultOf(state.add("text", 1)) == Fault::Corrupt);
}

TEST_CASE("what has expired is not there, and what expires later is") {
  State state(eitherIsolation());
  REQUIRE(state.put("short", "value", 1ms));
  REQUIRE(state.put("long", "value", 1h));
  REQUIRE(state.put("longest", "value", State::Span::max()));
  CHECK(*state.add("counter", 1, 1ms) == 1);
  const auto gone = std::chrono::steady_clock::now() + State::patience;
  while (*state.get("short") != std::nullopt) REQUIRE(std::chrono::steady_clock::now() < gone);
  while (*state.get("counter") != std::nullopt) REQUIRE(std::chrono::steady_clock::now() < gone);
  CHECK(*state.get("long") == "value");
  CHECK(*state.get("longest") == "value");
  // Reading the value with an expiry sets that expiry from now on.
  CHECK(*state.get("long", 1ms) == "value");
  while (*state.get("long") != std::nullopt) REQUIRE(std::chrono::steady_clock::now() < gone);
}

TEST_CASE("beyond the limits nothing is asked of the plugin") {
  // Any call that reaches the plugin returns SKH_UNAVAILABLE.
  State state(eitherIsolation(), {{"faults", {{"every", {{"do", "UNAVAILABLE"}}}}}});
  const std::string tooLong(StateBackend::maxKeyBytes + 1, 'k');
  const std::string tooLarge(StateBackend::maxValueBytes + 1, 'v');
  for (const std::string &key : {std::string(), tooLong}) {
    CHECK(faultOf(state.get(key)) == Fault::InvalidInput);
    CHECK(faultOf(state.put(key, "")) == Fault::InvalidInput);
    CHECK(faultOf(state.compareAndSet(key, std::nullopt, "")) == Fault::InvalidInput);
    CHECK(faultOf(state.erase(key)) == Fault::InvalidInput);
    CHECK(faultOf(state.add(key, 1)) == Fault::InvalidInput);
    CHECK(faultOf(state.publish(key, "")) == Fault::InvalidInput);
    CHECK(faultOf(state.subscribe(key)) == Fault::InvalidInput);
    CHECK(faultOf(state.unsubscribe(key)) == Fault::InvalidInput);
  }
  CHECK(faultOf(state.put("key", tooLarge)) == Fault::TooLarge);
  CHECK(faultOf(state.compareAndSet("key", std::nullopt, tooLarge)) == Fault::TooLarge);
  CHECK(faultOf(state.compareAndSet("key", tooLarge, "")) == Fault::TooLarge);
  CHECK(faultOf(state.erase("key", tooLarge)) == Fault::TooLarge);
  CHECK(faultOf(state.publish("channel", tooLarge)) == Fault::TooLarge);
  CHECK(faultOf(state.put("key", "", -1ms)) == Fault::InvalidInput);
  CHECK(faultOf(state.get("key", -1ms)) == Fault::InvalidInput);
  CHECK(faultOf(state.add("key", 1, -1ms)) == Fault::InvalidInput);
  CHECK(faultOf(state.put("key", "value")) == Fault::Unavailable);
}

TEST_CASE("messages of a channel come in the order of sending, once it is subscribed to") {
  State state(eitherIsolation());
  REQUIRE(state.publish("news", "too early"));
  REQUIRE(state.subscribe("news"));
  REQUIRE(state.subscribe("news")); // subscribing again changes nothing
  REQUIRE(state.subscribe(binary));
  REQUIRE(state.publish("other", "not for us"));
  const std::string largest(StateBackend::maxValueBytes, '\x5A');
  const std::vector<std::pair<std::string, std::string>> sent{
      {"news", "1"}, {"news", ""}, {binary, binary}, {"news", largest}, {"news", "5"}};
  for (const auto &[channel, payload] : sent) REQUIRE(state.publish(channel, payload));
  std::vector<StateMessage> got;
  while (got.size() < sent.size()) {
    auto more = state.receive();
    REQUIRE(more);
    REQUIRE(!more->empty());
    std::move(more->begin(), more->end(), std::back_inserter(got));
  }
  REQUIRE(got.size() == sent.size());
  for (std::size_t i = 0; i < sent.size(); ++i) {
    CHECK(got[i].channel == sent[i].first);
    CHECK((got[i].payload == sent[i].second));
    CHECK_FALSE(got[i].lost);
  }
  CHECK(*state.unsubscribe("news"));
  CHECK_FALSE(*state.unsubscribe("news"));
  REQUIRE(state.publish("news", "too late"));
  REQUIRE(state.publish(binary, "the last"));
  const auto last = state.receive();
  REQUIRE(last);
  REQUIRE(last->size() == 1);
  CHECK(last->front().payload == "the last");
}

TEST_CASE("a wait for messages ends with the first, at its deadline, or when it is cancelled") {
  State state(eitherIsolation());
  REQUIRE(state.subscribe("news"));
  const auto none = state.receive(100ms);
  INFO((none ? std::string() : none.failure().message));
  REQUIRE(none);
  CHECK(none->empty());

  auto waiting = std::make_shared<std::promise<Result<std::vector<StateMessage>>>>();
  state.backend->receive(within(State::patience),
                         [waiting](auto result) { waiting->set_value(std::move(result)); });
  REQUIRE(state.publish("news", "now"));
  const auto woken = waiting->get_future().get();
  REQUIRE(woken);
  REQUIRE(woken->size() == 1);
  CHECK(woken->front().payload == "now");

  const CallOptions options = within(State::patience);
  auto cancelled = std::make_shared<std::promise<Result<std::vector<StateMessage>>>>();
  state.backend->receive(options,
                         [cancelled](auto result) { cancelled->set_value(std::move(result)); });
  options.cancel.cancel();
  const auto ended = cancelled->get_future().get();
  // No message has arrived, so both are valid: the wait was cancelled, or it found nothing.
  CHECK((ended ? ended->empty() : ended.failure().fault == Fault::Cancelled));
  CHECK(state.description().state != PluginState::Broken);
}

TEST_CASE("waits that end at their deadline cost no thread, and leave the others alone") {
  // There is one thread for all calls and one for the waiting call.
  State state(eitherIsolation(), Json::object(), 1);
  for (int i = 0; i < 5; ++i) {
    const auto none = state.receive(20ms);
    REQUIRE(none);
    CHECK(none->empty());
  }
  REQUIRE(state.subscribe("news"));
  auto waiting = std::make_shared<std::promise<Result<std::vector<StateMessage>>>>();
  state.backend->receive(within(State::patience),
                         [waiting](auto result) { waiting->set_value(std::move(result)); });
  for (int i = 0; i < 50; ++i) REQUIRE(state.put("key", std::to_string(i)));
  // Only one call may wait at a time.
  CHECK(faultOf(state.receive()) == Fault::Unavailable);
  REQUIRE(state.publish("news", "enough"));
  REQUIRE(waiting->get_future().get());
  CHECK(state.description().state == PluginState::Loaded);
}

TEST_CASE("from the answer to one wait the next can be made") {
  State state(eitherIsolation());
  REQUIRE(state.subscribe("news"));
  struct Loop {
    StateBackend &backend;
    std::promise<Result<std::vector<StateMessage>>> done{};
    int left = 20;
    void next(const std::shared_ptr<Loop> &self) {
      backend.receive(within(10ms), [self](Result<std::vector<StateMessage>> result) {
        if (result && --self->left > 0) return self->next(self);
        self->done.set_value(std::move(result));
      });
    }
  };
  const auto loop = std::make_shared<Loop>(*state.backend);
  loop->next(loop);
  const auto last = loop->done.get_future().get();
  INFO((last ? std::string() : last.failure().message));
  CHECK(last);
  CHECK(loop->left == 0);
}

TEST_CASE("instances of one host share what they keep, and each has its own messages") {
  State one(Isolation::Thread, {{"engine", "shared"}}),
      other(Isolation::Thread, {{"engine", "shared"}});
  State stranger(Isolation::Thread, {{"engine", "another"}});
  REQUIRE(one.put("key", "value"));
  CHECK(*other.get("key") == "value");
  CHECK(*stranger.get("key") == std::nullopt);
  REQUIRE(one.subscribe("news"));
  REQUIRE(other.subscribe("news"));
  REQUIRE(other.publish("news", "for both"));
  for (State *const each : {&one, &other}) {
    const auto got = each->receive();
    REQUIRE(got);
    REQUIRE(got->size() == 1);
    CHECK(got->front().payload == "for both");
  }
}

TEST_CASE("of many who set a value at once one wins, and no increment is lost") {
  State state(eitherIsolation());
  std::vector<std::thread> threads;
  std::atomic<int> won{0};
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&state, &won, i] {
      const auto set = state.compareAndSet("leader", std::nullopt, std::to_string(i));
      if (set && *set) ++won;
      for (int j = 0; j < 25; ++j) {
        const auto sum = state.add("counter", 1);
        if (!sum) return;
      }
    });
  for (std::thread &thread : threads) thread.join();
  CHECK(won == 1);
  CHECK(*state.add("counter", 0) == 100);
}

TEST_CASE("a state plugin runs where it is told to, and says of what kind it is") {
  State thread(Isolation::Thread), process(Isolation::Process);
  CHECK(thread.description().kind == "skh.state/1");
  CHECK(thread.description().isolation == "thread");
  CHECK(process.description().kind == "skh.state/1");
  CHECK(process.description().isolation == "process");
  PluginRegistry plugins({fixtures});
  CHECK(!plugins.makeState({"shared", "scripted", "{}", {}}));
  CHECK(!plugins.makeTools({"shared", "sharing", "{}", {}}));
}
