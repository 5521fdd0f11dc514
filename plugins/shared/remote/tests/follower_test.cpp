// SPDX-License-Identifier: Apache-2.0
// Tests when a follower asks the remote, and what callers that wait receive.
#include "catch2.hpp"
#include "fixture.hpp"
#include "remote/follower.hpp"

#include <thread>

namespace remote = skillhost::remote;
using namespace skillhost::remote::test;
using std::chrono::milliseconds;
using std::chrono::seconds;
using Lines = std::vector<std::string>;

namespace {

constexpr milliseconds apart{200};

struct Stage {
  Diary diary;
  LentHost host{diary};
  LentCall call{diary};
  Remote source{diary};
  // Looks only when asked, and not sooner than `apart` after a look.
  remote::FollowRules rules{.name = "there", .every = milliseconds(0), .minRequestInterval = apart};

  // Returns the error with which the call ends, or "".
  static std::string failureOf(remote::Follower &follower, const LentCall &call,
                               skh_status status) {
    try {
      follower.awaitFirst(call.get());
      return "";
    } catch (const skh::Error &error) {
      CHECK(error.status() == status);
      return error.what();
    }
  }
};

Remote::Answer failing(const std::string &why, std::optional<seconds> retryAfter = std::nullopt) {
  return [=](remote::Operation &) { throw remote::RemoteError(why, retryAfter); };
}

} // namespace

TEST_CASE("what was kept is served before the remote has answered") {
  Stage stage;
  stage.source.hasKept = true;
  stage.source.then(stage.source.held());
  remote::Follower follower(stage.host.get(), stage.rules, stage.source);
  stage.diary.await("look");
  CHECK_FALSE(follower.awaitListing(stage.call.get(), false)); // no second look is requested
  CHECK(stage.diary.lines() ==
        Lines{"load", "gauge: age_seconds", "measure", "publish", "tidy", "look"});
  stage.source.letGo();
  stage.diary.await("tidy", 2);
  CHECK(follower.awaitListing(stage.call.get(), false));
  CHECK(stage.diary.times("look") == 2);
}

TEST_CASE("what is new is measured before it is seen, and tidied afterwards") {
  Stage stage;
  remote::Follower follower(stage.host.get(), stage.rules, stage.source);
  stage.diary.await("tidy", 2);
  CHECK(stage.diary.lines() == Lines{"load", "measure", "publish", "tidy", "look",
                                     "gauge: age_seconds", "measure", "publish", "tidy"});
}

TEST_CASE("a cache that cannot be used is told, and the remote is asked") {
  Stage stage;
  stage.source.isCacheBroken = true;
  remote::Follower follower(stage.host.get(), stage.rules, stage.source);
  CHECK_NOTHROW(follower.awaitFirst(stage.call.get()));
  CHECK(stage.diary.times("log: the cache cannot be used: it is broken") == 1);
  CHECK(stage.source.isServing());
}

TEST_CASE("who waits for the first look hears how much has come") {
  Stage stage;
  const Remote::Answer hold = stage.source.held();
  stage.source.then([&](remote::Operation &operation) {
    operation.receive(7);
    hold(operation);
    operation.receive(5);
    hold(operation);
  });
  remote::Follower follower(stage.host.get(), stage.rules, stage.source);
  std::thread waiting([&] { follower.awaitFirst(stage.call.get()); });
  stage.diary.await("progress: 7 fetching there");
  stage.source.letGo();
  stage.diary.await("progress: 12 fetching there");
  stage.source.letGo();
  waiting.join();
  CHECK(stage.source.isServing());
  stage.diary.await("tidy", 2);
  CHECK(stage.diary.metric("fetched_bytes") == 12);
  CHECK(stage.diary.metric("polls") == 1);
}

TEST_CASE("who waits is told why there is nothing") {
  Stage stage;
  SECTION("the remote refuses") {
    stage.source.then(failing("it is closed"));
    remote::Follower follower(stage.host.get(), stage.rules, stage.source);
    CHECK(Stage::failureOf(follower, stage.call, SKH_UNAVAILABLE) ==
          "there: it is closed; next try in 30 s");
    CHECK(stage.diary.times("log: there: it is closed; nothing is served yet; next try in 30 s") ==
          1);
  }
  SECTION("it takes longer than the call") {
    stage.source.then(stage.source.held());
    remote::Follower follower(stage.host.get(), stage.rules, stage.source);
    const LentCall brief(stage.diary, Clock::now() + milliseconds(150));
    CHECK(Stage::failureOf(follower, brief, SKH_UNAVAILABLE) == "there is still being fetched");
  }
  SECTION("nobody wants to know any more") {
    stage.source.then(stage.source.held());
    remote::Follower follower(stage.host.get(), stage.rules, stage.source);
    stage.call.isCancelled = true;
    CHECK(Stage::failureOf(follower, stage.call, SKH_CANCELLED) == "cancelled");
  }
}

TEST_CASE("who lists again after a failure has the remote asked, who only wants to know does not") {
  Stage stage;
  stage.rules.minRequestInterval = milliseconds(0);
  stage.source.then(failing("it is closed"));
  stage.source.then(failing("it is still closed"));
  remote::Follower follower(stage.host.get(), stage.rules, stage.source);
  stage.diary.await("tidy", 2);
  CHECK_THROWS_WITH(follower.requireServing(), "there: it is closed; next try in 30 s");
  CHECK(stage.diary.times("look") == 1);
  CHECK_THROWS_WITH(follower.awaitListing(stage.call.get(), false),
                    "there: it is still closed; next try in 60 s");
  CHECK(stage.diary.times("look") == 2);
  CHECK(follower.awaitListing(stage.call.get(), false));
  CHECK(stage.diary.times("look") == 3);
  CHECK_NOTHROW(follower.requireServing());
}

TEST_CASE("where only the newest does, the remote is asked first") {
  Stage stage;
  stage.source.hasKept = stage.rules.awaitNewest = true;
  SECTION("it answers") {
    stage.source.then(stage.source.held());
    remote::Follower follower(stage.host.get(), stage.rules, stage.source);
    const LentCall brief(stage.diary, Clock::now() + milliseconds(150));
    CHECK(Stage::failureOf(follower, brief, SKH_UNAVAILABLE) == "there is still being fetched");
    stage.source.letGo();
    CHECK_NOTHROW(follower.awaitFirst(stage.call.get()));
    CHECK(stage.diary.times("look") == 1);
  }
  SECTION("it refuses") {
    stage.source.then(failing("it is closed"));
    remote::Follower follower(stage.host.get(), stage.rules, stage.source);
    CHECK(Stage::failureOf(follower, stage.call, SKH_UNAVAILABLE) ==
          "there: it is closed; next try in 30 s");
  }
  SECTION("it need not be asked") {
    stage.source.isFinal = true;
    remote::Follower follower(stage.host.get(), stage.rules, stage.source);
    CHECK_NOTHROW(follower.awaitFirst(stage.call.get()));
    follower.requestRefresh();
    CHECK_NOTHROW(follower.awaitFirst(stage.call.get()));
    CHECK(stage.diary.times("look") == 0);
  }
}

TEST_CASE("who asks and waits has a look that began afterwards, or is told why there is none") {
  Stage stage;
  stage.rules.minRequestInterval = milliseconds(0);
  stage.source.hasKept = true;
  stage.source.then(nullptr);
  stage.source.then(nullptr);
  stage.source.then(failing("it is closed", seconds(1'000)));
  remote::Follower follower(stage.host.get(), stage.rules, stage.source);
  stage.diary.await("tidy", 2);
  CHECK(follower.awaitListing(stage.call.get(), true));
  CHECK(stage.source.ended().size() == 2);
  CHECK_NOTHROW(follower.requireGood());
  CHECK(follower.awaitListing(stage.call.get(), true));
  CHECK_FALSE(follower.isGood());
  CHECK_THROWS_WITH(follower.requireGood(), "there: it is closed");
  stage.diary.await("changed"); // the host then asks and gets the error
  CHECK(follower.awaitListing(stage.call.get(),
                              true)); // the remote asks for a pause, so nobody waits for it
  CHECK(stage.source.ended().size() == 3);
}

TEST_CASE("a look that a call waits for belongs to its trace, and no other does") {
  Stage stage;
  const auto telling = [&stage](remote::Operation &operation) {
    std::string all = "trace:";
    for (const std::string &line : operation.trace()) all += " " + line;
    stage.diary.write(all);
  };
  for (int i = 0; i < 3; ++i) stage.source.then(telling);
  remote::Follower follower(stage.host.get(), stage.rules, stage.source);
  stage.diary.await("tidy", 2);
  LentCall traced(stage.diary);
  traced.traceparent = skh::borrow("00-a-b-01");
  traced.tracestate = skh::borrow("c=1");
  CHECK(follower.awaitListing(traced.get(), true));
  CHECK(follower.awaitListing(stage.call.get(), true));
  CHECK(stage.diary.times("trace:") == 3);
  CHECK(stage.diary.times("trace: traceparent: 00-a-b-01 tracestate: c=1") == 1);
}

TEST_CASE("who asks soon after a look is heard later, however many ask") {
  Stage stage;
  remote::Follower follower(stage.host.get(), stage.rules, stage.source);
  stage.diary.await("tidy", 2);
  for (int i = 0; i < 3; ++i) follower.requestRefresh();
  stage.diary.await("tidy", 3);
  follower.requestRefresh();
  stage.diary.await("look", 3);
  const auto began = stage.source.began(), ended = stage.source.ended();
  CHECK(began[1] - ended[0] >= apart);
  CHECK(began[2] - ended[1] >= apart);
}

TEST_CASE("who asks while a look goes on is heard after it, not at once") {
  Stage stage;
  stage.source.then(nullptr);
  stage.source.then(stage.source.held());
  remote::Follower follower(stage.host.get(), stage.rules, stage.source);
  stage.diary.await("tidy", 2);
  follower.requestRefresh();
  stage.diary.await("look", 2);
  follower.requestRefresh(); // the remote may have been read already
  stage.source.letGo();
  stage.diary.await("look", 3);
  CHECK(stage.source.began()[2] - stage.source.ended()[1] >= apart);
}

TEST_CASE("who asks is heard at once when the last look is long enough past") {
  Stage stage;
  stage.rules.minRequestInterval = milliseconds(0);
  remote::Follower follower(stage.host.get(), stage.rules, stage.source);
  for (std::size_t looks = 1; looks < 20; ++looks) {
    stage.diary.await("tidy", looks + 1);
    follower.requestRefresh();
  }
  CHECK_NOTHROW(stage.diary.await("look", 20));
}

TEST_CASE("the clock has the remote asked by itself") {
  Stage stage;
  stage.rules.every = milliseconds(20);
  remote::Follower follower(stage.host.get(), stage.rules, stage.source);
  CHECK_NOTHROW(stage.diary.await("look", 4));
}

TEST_CASE("a remote that wants to be left alone is, also by who asks") {
  Stage stage;
  stage.rules.minRequestInterval = milliseconds(0);
  stage.source.then(failing("too many", seconds(1)));
  remote::Follower follower(stage.host.get(), stage.rules, stage.source);
  stage.diary.await("tidy", 2);
  follower.requestRefresh();
  stage.diary.await("look", 2);
  const auto waited = stage.source.began()[1] - stage.source.ended()[0];
  CHECK(waited >= seconds(1));
  CHECK(waited < seconds(29)); // sooner than the next regular look
}

TEST_CASE("the same failure is told once, and that it is over") {
  Stage stage;
  stage.rules.minRequestInterval = milliseconds(0);
  stage.source.hasKept = true;
  for (const char *const why : {"no way", "no way", "no door"}) stage.source.then(failing(why));
  remote::Follower follower(stage.host.get(), stage.rules, stage.source);
  for (std::size_t looks = 1; looks < 5; ++looks) {
    stage.diary.await("tidy", looks + 1);
    follower.requestRefresh();
  }
  stage.diary.await("tidy", 6);
  CHECK(stage.diary.times("log: there: no way; serving something, checked ") == 1);
  CHECK(stage.diary.times("log: there: no door; serving something, checked ") == 1);
  CHECK(stage.diary.times("log: there: answers again") == 1);
  CHECK(stage.diary.metric("failures") == 3);
}

TEST_CASE("what came before a look failed is served, and the failure told") {
  Stage stage;
  stage.source.isPartly = true;
  stage.source.then(failing("half of it is missing"));
  remote::Follower follower(stage.host.get(), stage.rules, stage.source);
  stage.diary.await("tidy", 2);
  CHECK(stage.source.isServing());
  CHECK(stage.diary.times("log: there: half of it is missing; serving something") == 1);
}

TEST_CASE("what a look publishes early is served while it goes on") {
  Stage stage;
  stage.source.isEager = true;
  stage.source.then(stage.source.held());
  remote::Follower follower(stage.host.get(), stage.rules, stage.source);
  CHECK_FALSE(follower.awaitListing(stage.call.get(), false));
  CHECK(stage.source.ended().empty());
  stage.source.letGo();
  stage.diary.await("tidy", 2);
  CHECK(stage.diary.times("publish") == 3); // for load(), early, and at the end
}

TEST_CASE("a follower that ends stops its look and complains of nothing") {
  Stage stage;
  stage.source.then(stage.source.held());
  {
    remote::Follower follower(stage.host.get(), stage.rules, stage.source);
    stage.diary.await("look");
  }
  CHECK(stage.diary.times("log: there") == 0);
  CHECK(stage.diary.metric("failures") == 0);
  CHECK(stage.source.ended().size() == 1);
}

TEST_CASE("a look ends at its deadline and at its limit of bytes") {
  Stage stage;
  SECTION("time") {
    stage.rules.deadline = milliseconds(60);
    stage.source.then(stage.source.held());
    remote::Follower follower(stage.host.get(), stage.rules, stage.source);
    stage.diary.await("log: there: the remote did not answer in time (deadline_ms)");
  }
  SECTION("bytes") {
    stage.rules.maxBytes = 10;
    stage.source.then([](remote::Operation &operation) { operation.receive(11); });
    remote::Follower follower(stage.host.get(), stage.rules, stage.source);
    stage.diary.await("log: there: the remote sends more than 10 bytes");
  }
  CHECK(stage.diary.metric("failures") == 1);
}
