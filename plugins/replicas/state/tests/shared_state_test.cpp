// SPDX-License-Identifier: Apache-2.0
// Tests the shared state of replicas: its keys reveal nothing, its values are sealed, and a value
// that no replica has made counts as absent.
#include "awaited.hpp"
#include "replica.hpp"

#include <array>
#include <thread>

using namespace skillhost;
using namespace std::chrono_literals;

TEST_CASE("names are the same in all replicas of one secret, and tell nothing") {
  const auto engine = std::make_shared<StateEngine>();
  const auto a = replicaOf(engine), b = replicaOf(engine);
  const auto other = replicaOf(engine, std::string(32, 'o'));
  const std::string name = a->keyedDigest("session", {"ada"});
  CHECK(name.size() == 64);
  CHECK(name == b->keyedDigest("session", {"ada"}));
  CHECK(name != other->keyedDigest("session", {"ada"}));
  CHECK(name != a->keyedDigest("token", {"ada"}));
  CHECK(a->keyedDigest("x", {"ab", "c"}) != a->keyedDigest("x", {"a", "bc"}));
  CHECK(name.find("ada") == std::string::npos);
  CHECK(a->replica() != b->replica());
}

TEST_CASE("the key of a use is the same in all replicas, and no other use has it") {
  const auto engine = std::make_shared<StateEngine>();
  const auto a = replicaOf(engine), b = replicaOf(engine);
  const auto other = replicaOf(engine, std::string(32, 'o'));
  const std::array<std::string_view, 1> text{"text"};
  const auto digest = a->keyFor("one").digest(text);
  CHECK(digest == b->keyFor("one").digest(text));
  CHECK(digest != a->keyFor("two").digest(text));
  CHECK(digest != other->keyFor("one").digest(text));
  CHECK(digest != replicaOf(engine, secretOfTest, "another")->keyFor("one").digest(text));
}

TEST_CASE("a value is there for whoever knows the secret, and where it was put") {
  const auto engine = std::make_shared<StateEngine>();
  const auto a = replicaOf(engine), b = replicaOf(engine);
  put(*a, "k", "value");
  CHECK(*valueOf(*b, "k") == "value");
  REQUIRE(engine->values.contains("test:k"));
  CHECK(engine->values["test:k"].bytes.find("value") == std::string::npos);
  CHECK(!*valueOf(*replicaOf(engine, std::string(32, 'o')), "k"));
  CHECK(!*valueOf(*replicaOf(engine, secretOfTest, "another"), "k"));
  // A value is sealed for its key, so it is no value elsewhere; and every byte counts.
  engine->values["test:moved"] = engine->values["test:k"];
  CHECK(!*valueOf(*b, "moved"));
  for (const std::string &damaged :
       {std::string(), std::string("short"), engine->values["test:k"].bytes + "x",
        engine->values["test:k"].bytes.substr(1)}) {
    engine->values["test:k"].bytes = damaged;
    CHECK(!*valueOf(*b, "k"));
  }
}

TEST_CASE("compare-and-set and erase compare what is sealed") {
  const auto engine = std::make_shared<StateEngine>();
  const auto a = replicaOf(engine), b = replicaOf(engine);
  bool done = true;
  const auto note = [&](Result<bool> result) { done = result && *result; };
  a->compareAndSet("k", std::nullopt, "one", {}, note);
  CHECK(done);
  b->compareAndSet("k", std::nullopt, "two", {}, note);
  CHECK_FALSE(done);
  b->compareAndSet("k", "one", "two", {}, note);
  CHECK(done);
  StateErased erased = StateErased::Absent;
  a->erase("k", "one", [&](Result<StateErased> result) { erased = *result; });
  CHECK(erased == StateErased::Other);
  a->erase("k", "two", [&](Result<StateErased> result) { erased = *result; });
  CHECK(erased == StateErased::Yes);
  CHECK(!*valueOf(*b, "k"));
}

TEST_CASE("a value goes when its time is over") {
  const auto engine = std::make_shared<StateEngine>();
  const auto a = replicaOf(engine);
  a->put("k", "value", 1'000ms, nullptr);
  CHECK(*valueOf(*a, "k") == "value");
  engine->turned = 1'001ms;
  CHECK(!*valueOf(*a, "k"));
}

TEST_CASE("messages reach the others, never who has sent them or has another secret") {
  const auto engine = std::make_shared<StateEngine>();
  const auto a = replicaOf(engine), b = replicaOf(engine);
  const auto other = replicaOf(engine, std::string(32, 'o'));
  Awaited<std::string> byA, byB, byOther;
  const auto into = [](Awaited<std::string> &to) {
    return SharedState::Listener{[&to](std::string_view text) { to.push(std::string(text)); }, {}};
  };
  a->listen("news", into(byA));
  b->listen("news", into(byB));
  other->listen("news", into(byOther));
  for (const StateEngine::Inbox *inbox : engine->inboxes)
    CHECK(inbox->channels.contains("test:news"));
  a->publish("news", "first");
  a->publish("elsewhere", "not heard");
  a->publish("news", "");
  CHECK(byB.next() == "first");
  CHECK(byB.next().empty());
  b->publish("news", "back");
  CHECK(byA.next() == "back"); // a's own two earlier messages never arrived
  other->stop();               // no message follows this
  CHECK(byOther.waiting() == 0);
  CHECK(byA.waiting() == 0);
}

TEST_CASE(
    "an engine that goes away is noticed, asked until it is back, and what was lost is told") {
  const auto engine = std::make_shared<StateEngine>();
  const auto a = replicaOf(engine);
  Awaited<bool> reachable;
  Awaited<int> lost;
  a->onReachable([&](bool isReachable) { reachable.push(isReachable); });
  a->listen("news", {[](std::string_view) {}, [&] { lost.push(1); }});
  CHECK(a->isEngineReachable());
  CHECK(a->check(1s));
  engine->setAway(true);
  CHECK(valueOf(*a, "k").failure().fault == Fault::Unavailable);
  CHECK_FALSE(reachable.next());
  CHECK_FALSE(a->isEngineReachable());
  CHECK(!a->check(1s));
  engine->setAway(false);
  CHECK(reachable.next()); // only the replica itself has asked
  CHECK(a->isEngineReachable());
  lost.next();
}

TEST_CASE("who only listens notices by itself that the engine has gone, and is back") {
  const auto engine = std::make_shared<StateEngine>();
  const auto a = replicaOf(engine);
  Awaited<bool> reachable;
  a->onReachable([&](bool isReachable) { reachable.push(isReachable); });
  a->listen("news", {});
  engine->setAway(true);
  CHECK_FALSE(reachable.next());
  engine->setAway(false);
  CHECK(reachable.next());
}

TEST_CASE("an engine that loses all it has without going away is noticed by each replica") {
  const auto engine = std::make_shared<StateEngine>();
  const auto a = replicaOf(engine, secretOfTest, "test", 5ms),
             b = replicaOf(engine, secretOfTest, "test", 5ms);
  Awaited<bool> byA, byB;
  a->onReachable([&](bool isReachable) { byA.push(isReachable); });
  b->onReachable([&](bool isReachable) { byB.push(isReachable); });
  a->listen("news", {});
  b->listen("news", {});
  const auto beats = [&](std::size_t count) { // each replica has seen the mark by then
    for (const auto until = std::chrono::steady_clock::now() + 60s;
         std::chrono::steady_clock::now() < until; std::this_thread::yield()) {
      const std::scoped_lock lock(engine->mutex);
      if (engine->values.contains("test:heartbeat") && engine->operations >= count) return true;
    }
    return false;
  };
  REQUIRE(beats(100));
  CHECK(byA.waiting() == 0);
  CHECK(byB.waiting() == 0);
  // The same holds when the engine loses everything again before the next heartbeat.
  for (int times = 0; times < 3; ++times) {
    {
      const std::scoped_lock lock(engine->mutex);
      engine->values.clear();
    }
    CHECK(byA.next());
    CHECK(byB.next());
  }
}

TEST_CASE("what an engine loses right after the start of a replica is noticed") {
  const auto engine = std::make_shared<StateEngine>();
  const auto a = replicaOf(engine, secretOfTest, "test", 5ms);
  Awaited<bool> reachable;
  a->onReachable([&](bool isReachable) { reachable.push(isReachable); });
  a->listen("news", {}); // the engine in memory answers at once
  {
    const std::scoped_lock lock(engine->mutex);
    engine->values.clear();
  }
  CHECK(reachable.next());
}

TEST_CASE("what has stopped refuses, and answers all the same") {
  const auto engine = std::make_shared<StateEngine>();
  const auto a = replicaOf(engine);
  a->stop();
  CHECK(!valueOf(*a, "k"));
  a->stop();
}
