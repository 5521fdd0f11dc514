// SPDX-License-Identifier: Apache-2.0
// A source must behave the same in a process of its own as in the host's process.
#include "catch2.hpp"
#include "running.hpp"

using namespace skillhost;
using namespace running;

TEST_CASE("a source in its own process lists, reads and tells changes") {
  Running source = start(
      scripted, {{"documents", {document("b", "B"), document("a", std::string(900'000, 'x'))}}});
  const Result<Snapshot> snapshot = list(source);
  INFO((snapshot ? std::string() : snapshot.failure().message));
  REQUIRE(snapshot);
  REQUIRE(snapshot->documents.size() == 2);
  CHECK(snapshot->documents[0].skill == "a");
  CHECK(snapshot->documents[0].entry);
  CHECK(*read(source, snapshot->documents[1]) == "B");
  CHECK(*read(source, snapshot->documents[0]) == std::string(900'000, 'x'));
  const Result<Changes> none =
      wait<Changes>([&](auto answer) { source.source->changes({}, snapshot->revision, answer); });
  REQUIRE(none);
  CHECK(none->revision == snapshot->revision);
  const Result<Changes> stale =
      wait<Changes>([&](auto answer) { source.source->changes({}, "no such", answer); });
  CHECK(stale.failure().fault == Fault::Stale);
}

TEST_CASE("what the host's sink refuses is refused in the other process too") {
  Running source = start(scripted, {{"documents", {document("a", std::string(6'000'000, 'x'))}}});
  const Result<Snapshot> snapshot = list(source);
  REQUIRE(snapshot);
  for (const std::size_t limit : {0U, 100U, 1'000'000U, 5'999'999U})
    CHECK(read(source, snapshot->documents[0], {}, limit).failure().fault == Fault::TooLarge);
  CHECK(read(source, snapshot->documents[0], {}, 6'000'000));
  Document absent = snapshot->documents[0];
  absent.path = "absent";
  const Result<std::string> missing = read(source, absent);
  CHECK(missing.failure().fault == Fault::NotFound);
  CHECK(contains(missing.failure().message, "no such document"));
}

TEST_CASE("a listing of many megabytes arrives whole") {
  Json documents = Json::array();
  for (int i = 0; i < 60'000; ++i) documents.push_back(document("s" + std::to_string(i), "x"));
  Running source = start(scripted, {{"documents", documents}});
  const Result<Snapshot> snapshot = list(source);
  REQUIRE(snapshot);
  CHECK(snapshot->documents.size() == 60'000);
}

TEST_CASE("a listing told out of order is void in another process as well") {
  const auto failure = [&](Json script) {
    script["documents"] = Json::array({document("a", "A")});
    Running source = start(scripted, script);
    const Result<Snapshot> snapshot = list(source);
    REQUIRE_FALSE(snapshot);
    return snapshot.failure().message;
  };
  CHECK(contains(failure({{"done_calls", 0}}), "without naming"));
  CHECK(contains(failure({{"done_calls", 2}}), "twice"));
  CHECK(contains(failure({{"add_after_done", true}}), "after"));
  CHECK(contains(failure({{"list", {{"do", "UNAVAILABLE"}, {"message", "the moon is down"}}}}),
                 "the moon is down"));
  CHECK(contains(failure({{"list", {{"do", "throw"}, {"message", "thrown"}}}}), "thrown"));
}

TEST_CASE("what create() says comes back, and so does its death") {
  const auto refusal = [&](const Json &misdeed) {
    const auto proxy = proxyFor(scripted);
    const auto made = Instance::create(proxy->descriptor(),
                                       {"x", scripted, Json{{"create", misdeed}}.dump(), {}});
    REQUIRE_FALSE(made);
    return made.failure();
  };
  const Failure said = refusal({{"do", "DENIED"}, {"message", "not you"}});
  CHECK(said.fault == Fault::Denied);
  CHECK(contains(said.message, "not you"));
  CHECK(contains(refusal({{"do", "abort"}}).message, "SIGABRT"));
}

TEST_CASE("what an instance tells of itself comes from its own process, and goes with it") {
  const Json script = {{"documents", {document("a", "A")}},
                       {"health", {{{"state", 2}, {"why", "no model"}}}}};
  Running source = start(scripted, script);
  REQUIRE(list(source)); // the change was reported before create() returned
  CHECK(source.instance->describe().state == PluginState::Degraded);
  CHECK(source.instance->describe().reason == "no model");
}
