// SPDX-License-Identifier: Apache-2.0
// Replicas that share a source: one asks, all serve, and another one asks when that one is gone.
#include "ground/hexadecimal.hpp"
#include "replica.hpp"
#include "skills/document_digests.hpp"
#include "skills/locked_source.hpp"
#include "temporary_folder.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <optional>

using namespace sharing_test;
namespace fs = std::filesystem;

namespace {

Remote::Files twoSkills() {
  return {{{"a", "SKILL.md"}, skillText("a")},
          {{"b", "SKILL.md"}, skillText("b")},
          {{"b", "notes.md"}, "Notes."}};
}

struct Fixture {
  TemporaryFolder temporary;
  std::shared_ptr<StateEngine> engine = std::make_shared<StateEngine>();
  std::shared_ptr<Remote> remote = std::make_shared<Remote>();
  ReplicaSettings settings{temporary.path() + "/shared"};

  Fixture() { remote->become(twoSkills(), "1"); }
  void with(auto body) {
    const std::scoped_lock lock(remote->mutex);
    body(*remote);
  }
  std::unique_ptr<Replica> start() { return std::make_unique<Replica>(engine, remote, settings); }
  // Of every source in the folder, the files that are named so.
  std::vector<fs::path> files(const std::string &part) const {
    std::vector<fs::path> all;
    for (const auto &entry : fs::recursive_directory_iterator(settings.folder))
      if (entry.is_regular_file() && entry.path().string().find('/' + part) != std::string::npos)
        all.push_back(entry.path());
    return all;
  }
  void damage(const std::string &bytes) {
    for (const fs::path &path : files("objects/")) {
      std::ifstream file(path);
      const std::string found{std::istreambuf_iterator<char>(file), {}};
      if (found != bytes) continue;
      std::ofstream(path, std::ios::trunc) << std::string(bytes.size(), '!');
      return;
    }
    FAIL("there is no such object");
  }
};

} // namespace

TEST_CASE("one replica asks, and all serve what it was told") {
  Fixture it;
  it.with([](Remote &remote) {
    remote.facts["a"] = R"({"home":"https://example.org"})";
    remote.facts["*"] = R"({"kind":"git"})";
  });
  const auto first = it.start(), second = it.start(), third = it.start();
  for (Replica *one : {first.get(), second.get(), third.get()}) {
    one->awaitSkills(2);
    CHECK(one->failure().empty());
    CHECK(*one->read("b", "notes.md") == "Notes.");
    const auto listed = one->library().source("team");
    REQUIRE(listed);
  }
  CHECK(it.remote->lists == 1);
  CHECK(it.remote->made == 1);
  CHECK(it.remote->reads == 3);
  CHECK(first->source().leads());
  CHECK_FALSE(second->source().leads());
  const Result<Snapshot> own = second->list();
  REQUIRE(own);
  CHECK(own->facts.at("a") == R"({"home":"https://example.org"})");
  CHECK(own->facts.at("*") == R"({"kind":"git"})");
  CHECK(own->documents[0].location == "https://example.org/a");
  CHECK(own->revision == "1");
}

TEST_CASE("a refresh at any replica is one question, and what came of it is at all of them") {
  Fixture it;
  const auto first = it.start(), second = it.start(), third = it.start();
  for (Replica *one : {first.get(), second.get(), third.get()}) one->awaitSkills(2);
  Remote::Files next = twoSkills();
  next[{"c", "SKILL.md"}] = skillText("c");
  next.erase({"a", "SKILL.md"});
  next[{"d", "SKILL.md"}] = skillText("d");
  const int before = it.remote->reads;
  it.remote->become(next, "2");
  second->library().refresh("team");
  for (Replica *one : {first.get(), second.get(), third.get()}) one->awaitSkills(3);
  CHECK(it.remote->lists == 2);
  CHECK(it.remote->reads == before + 2); // what is new, and nothing else
  CHECK(it.remote->made == 1);
  for (Replica *one : {first.get(), second.get(), third.get()})
    CHECK(*one->read("d", "SKILL.md") == skillText("d"));
}

TEST_CASE("a refresh at the one that asks is told to the others") {
  Fixture it;
  const auto first = it.start(), second = it.start();
  for (Replica *one : {first.get(), second.get()}) one->awaitSkills(2);
  it.remote->become({{{"c", "SKILL.md"}, skillText("c")}}, "2");
  first->library().refresh("team");
  for (Replica *one : {first.get(), second.get()}) one->awaitSkills(1);
  CHECK(it.remote->lists == 2);
}

TEST_CASE("one that ends gives the lease back, and the next one reads nothing again") {
  Fixture it;
  it.settings.lease = 1500ms;
  auto first = it.start();
  const auto second = it.start();
  first->awaitSkills(2);
  second->awaitSkills(2);
  const int reads = it.remote->reads;
  first.reset();
  it.remote->become(twoSkills(), "2");
  second->await([&](const Catalogue &) { return second->source().leads(); });
  CHECK(it.remote->made == 2);
  CHECK(it.remote->reads == reads);
  it.remote->become({{{"c", "SKILL.md"}, skillText("c")}}, "3");
  second->library().refresh("team");
  second->awaitSkills(1);
}

TEST_CASE("one that is killed is followed by another when its lease is over") {
  Fixture it;
  it.settings.lease = 1500ms;
  const auto first = it.start(), second = it.start();
  first->awaitSkills(2);
  second->awaitSkills(2);
  first->cutOff();
  {
    const std::scoped_lock lock(it.engine->mutex);
    it.engine->turned += 1s;
  }
  it.remote->become({{{"c", "SKILL.md"}, skillText("c")}}, "2");
  second->awaitSkills(1);
  CHECK(second->source().leads());
}

TEST_CASE("what is in the folder is served before anybody was asked") {
  Fixture it;
  it.start()->awaitSkills(2);
  it.with([](Remote &remote) { remote.away = true; });
  const auto again = it.start();
  again->awaitSkills(2);
  CHECK(*again->read("a", "SKILL.md") == skillText("a"));
  // And is marked once the source has failed.
  again->await([&](const Catalogue &) { return !again->failure().empty(); });
  CHECK(again->library().catalogue()->entries().size() == 2);
}

TEST_CASE("that the source fails is known to all, and that it is well again") {
  Fixture it;
  const auto first = it.start(), second = it.start();
  first->awaitSkills(2);
  second->awaitSkills(2);
  it.with([](Remote &remote) { remote.away = true; });
  second->library().refresh("team");
  for (Replica *one : {first.get(), second.get()})
    one->await([&](const Catalogue &) { return !one->failure().empty(); });
  CHECK(second->failure().find("the remote is away") != std::string::npos);
  it.with([](Remote &remote) { remote.away = false; });
  second->library().refresh("team");
  for (Replica *one : {first.get(), second.get()})
    one->await([&](const Catalogue &) { return one->failure().empty(); });
  CHECK(second->library().catalogue()->entries().size() == 2);
}

TEST_CASE("a damaged object is served by nobody and fetched anew") {
  Fixture it;
  const auto first = it.start(), second = it.start();
  first->awaitSkills(2);
  second->awaitSkills(2);
  it.damage("Notes.");
  const Result<std::string> refused = second->read("b", "notes.md");
  if (!refused) CHECK(refused.failure().fault == Fault::Unavailable);
  Result<std::string> read = refused;
  while (!read) read = second->read("b", "notes.md");
  CHECK(*read == "Notes.");
  it.damage("Notes.");
  CHECK(*first->read("b", "notes.md") == "Notes.");
  CHECK(*second->read("b", "notes.md") == "Notes.");
  CHECK(it.remote->lists == 1);
}

TEST_CASE("a damaged manifest is written again for who comes later") {
  Fixture it;
  const auto first = it.start();
  first->awaitSkills(2);
  REQUIRE(it.files("manifests/").size() == 1);
  std::ofstream(it.files("manifests/")[0], std::ios::trunc) << "{}";
  const auto second = it.start();
  second->awaitSkills(2);
  CHECK(it.remote->lists == 1);
}

TEST_CASE("a head of somebody else is not followed, and replaced by who asks") {
  Fixture it;
  it.start()->awaitSkills(2);
  REQUIRE(it.files("current").size() == 1);
  std::ofstream(it.files("current")[0], std::ios::trunc) << "{\"version\":1}";
  const auto again = it.start();
  again->awaitSkills(2);
  CHECK(it.remote->lists == 2);
  CHECK(it.remote->reads == 6);
  const auto other = it.start();
  other->awaitSkills(2);
  CHECK(it.remote->lists == 2);
}

TEST_CASE("replicas of another configuration or another secret share nothing") {
  Fixture it;
  const auto first = it.start();
  first->awaitSkills(2);
  it.settings.mark = "fedcba9876543210";
  const auto second = it.start();
  second->awaitSkills(2);
  CHECK(it.remote->made == 2);
  it.settings.secret = std::string(32, 't');
  const auto third = it.start();
  third->awaitSkills(2);
  CHECK(it.remote->made == 3);
}

TEST_CASE("without the engine all goes on, and who asked last goes on asking") {
  Fixture it;
  it.settings.lease = 1500ms;
  const auto first = it.start(), second = it.start();
  first->awaitSkills(2);
  second->awaitSkills(2);
  it.engine->setAway(true);
  while (first->state().reachable() || second->state().reachable()) std::this_thread::yield();
  CHECK(*second->read("b", "notes.md") == "Notes.");
  it.remote->become({{{"c", "SKILL.md"}, skillText("c")}}, "2");
  first->library().refresh("team");
  first->awaitSkills(1);
  CHECK(first->source().leads());
  // Nobody could tell the other one, who looks for itself.
  second->library().refresh();
  second->awaitSkills(1);
  CHECK(it.remote->made == 1);
  it.engine->setAway(false);
  it.remote->become(twoSkills(), "3");
  while (!first->state().reachable() || !second->state().reachable()) std::this_thread::yield();
  first->library().refresh("team");
  for (Replica *one : {first.get(), second.get()}) one->awaitSkills(2);
}

TEST_CASE("where there is neither an engine nor a folder, each asks for itself") {
  Fixture it;
  it.settings.lease = 600ms;
  it.engine->setAway(true);
  const auto first = it.start();
  first->awaitSkills(2);
  CHECK(it.remote->lists >= 1);
}

TEST_CASE("a folder that cannot be written to is named, and another replica may ask") {
  Fixture it;
  std::ofstream(it.settings.folder) << "a file";
  const auto first = it.start();
  first->await([&](const Catalogue &) { return !first->failure().empty(); });
  CHECK(first->failure().find(it.settings.folder) != std::string::npos);
  first->await([&](const Catalogue &) { return !first->source().leads(); });
  fs::remove(it.settings.folder);
  it.settings.lease = 600ms;
  const auto second = it.start();
  second->awaitSkills(2);
  first->awaitSkills(2);
  CHECK(second->source().leads());
}

TEST_CASE("one that cannot make the plugin leaves it to another") {
  Fixture it;
  ReplicaSettings broken = it.settings;
  broken.make = []() -> Result<std::shared_ptr<Source>> {
    return {Fault::InvalidInput, "no such plugin"};
  };
  broken.lease = it.settings.lease = 600ms;
  const Replica first(it.engine, it.remote, broken);
  const auto second = it.start();
  second->awaitSkills(2);
  CHECK(second->source().leads());
  CHECK_FALSE(first.source().leads());
}

TEST_CASE("what the source cannot read is refused by all, and the rest is served") {
  Fixture it;
  it.with([](Remote &remote) { remote.unreadable = Fault::Corrupt; });
  const auto first = it.start(), second = it.start();
  for (Replica *one : {first.get(), second.get()}) {
    one->awaitSkills(2);
    const auto read = one->read("b", "notes.md");
    REQUIRE_FALSE(read);
    CHECK(read.failure().fault == Fault::Corrupt);
  }
}

TEST_CASE("a source whose snapshots have no lasting names is named by what it has") {
  Fixture it;
  it.with([](Remote &remote) { remote.goesBack = false; });
  it.settings.lease = 1500ms;
  auto first = it.start();
  const auto second = it.start();
  first->awaitSkills(2);
  second->awaitSkills(2);
  const std::string before = second->list()->revision;
  CHECK(before != "1");
  // The next one calls something else by the same name.
  it.with([](Remote &remote) { remote.files.erase({"a", "SKILL.md"}); });
  first.reset();
  second->awaitSkills(1);
  CHECK(second->list()->revision != before);
}

TEST_CASE("nothing in the folder tells a secret or the state's names") {
  Fixture it;
  it.start()->awaitSkills(2);
  for (const auto &entry : fs::recursive_directory_iterator(it.settings.folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    CHECK(text.find(it.settings.secret) == std::string::npos);
  }
}

TEST_CASE("a lock holds for what comes from the folder") {
  Fixture it;
  const auto first = it.start();
  first->awaitSkills(2);
  SourceLock lock;
  lock.skills["a"]["SKILL.md"] = digestOf({}, skillText("a"));
  // A source of its own, over the folder that the first one has filled.
  const auto backend = std::make_shared<StateInMemory>(it.engine);
  const auto state = std::make_shared<SharedState>(
      backend, SharedStateSettings{"test", Secret(it.settings.secret), 1000ms});
  const auto shared = std::make_shared<SharedSource>(
      SourceSharing::make(state),
      SharedSourceSettings{"team", it.settings.folder, it.settings.mark},
      [&]() -> Result<std::shared_ptr<Source>> { return {Fault::Internal, "not here"}; });
  const auto locked = std::make_shared<LockedSource>(shared, lock, "skills.lock");
  locked->onChanged([] {});
  std::promise<Result<Snapshot>> answer;
  locked->list({Deadline::after(10s), {}, {}, {}},
               [&](Result<Snapshot> all) { answer.set_value(std::move(all)); });
  const Result<Snapshot> listed = answer.get_future().get();
  REQUIRE(listed);
  REQUIRE(listed->documents.size() == 1);
  CHECK(listed->documents[0].skill == "a");
  CHECK(listed->refused.contains("b"));
  locked->stop();
  state->stop();
}
