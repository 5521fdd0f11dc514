// SPDX-License-Identifier: Apache-2.0
// Tests the whole source with repositories created by git, by file://.
#include "catch2.hpp"
#include "fixture.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

using namespace skillhost::github::test;
using Names = std::vector<std::string>;

TEST_CASE("skills of HEAD are listed with their blobs as revisions") {
  const Repository made;
  made.skill("skills/alpha");
  made.write("skills/alpha/scripts/run.sh", "echo hi\n");
  std::filesystem::permissions(made.path() + "/skills/alpha/scripts/run.sh",
                               std::filesystem::perms::owner_all);
  made.write("README.md", "No skill.");
  const std::string commit = made.commit();
  const Folder cache;
  Instance source(configured(made), cache.at("c"));
  const Listing all = source.list();
  REQUIRE(all.status == SKH_OK);
  CHECK(all.names() == Names{"skills/alpha:SKILL.md", "skills/alpha:scripts/run.sh"});
  CHECK(all.snapshot == commit);
  const Listed &script = all.documents.at("skills/alpha:scripts/run.sh");
  CHECK(script.revision == made.git({"rev-parse", "HEAD:skills/alpha/scripts/run.sh"}));
  CHECK(script.length == 8);
  CHECK(script.flags == SKH_DOC_EXECUTABLE);
  CHECK(all.documents.at("skills/alpha:SKILL.md").flags == SKH_DOC_ENTRY);
  std::string bytes;
  CHECK(source.read("skills/alpha:scripts/run.sh", script.revision, bytes) == SKH_OK);
  CHECK(bytes == "echo hi\n");
  CHECK(source.read("skills/alpha:scripts/run.sh", commit, bytes) == SKH_STALE);
  CHECK(source.read("skills/alpha:none", script.revision, bytes) == SKH_NOT_FOUND);
}

TEST_CASE("one changed file is one change, and the old bytes stay readable") {
  const Repository made;
  for (int i = 0; i < 30; ++i) made.skill("s" + std::to_string(i));
  made.write("s3/gone.md", "Soon.");
  made.commit();
  const Folder cache;
  Instance source(configured(made, R"("refresh_minutes": 0.005)"), cache.at("c"));
  const Listing before = source.list();
  REQUIRE(before.documents.size() == 31);
  made.write("s7/SKILL.md", "---\nname: s7\ndescription: Other.\n---\n");
  made.remove("s3/gone.md");
  const std::string commit = made.commit();
  source.awaitChanged();
  const Listing news = source.changes(before.snapshot);
  REQUIRE(news.status == SKH_OK);
  CHECK(news.snapshot == commit);
  CHECK(news.names() == Names{"s3:gone.md", "s7:SKILL.md"});
  CHECK(news.documents.at("s3:gone.md").flags == SKH_DOC_REMOVED);
  CHECK(source.changes(commit).names().empty());
  CHECK(source.changes("no such").status == SKH_STALE);
  std::string bytes;
  CHECK(source.read("s7:SKILL.md", before.documents.at("s7:SKILL.md").revision, bytes) == SKH_OK);
  CHECK(bytes.find("Does s7.") != std::string::npos);
}

TEST_CASE("a branch, a tag, a full reference and a commit can be named") {
  const Repository made;
  made.skill("first");
  const std::string first = made.commit();
  made.git({"tag", "-a", "v1", "-m", "One"});
  made.git({"tag", "plain"});
  made.skill("second");
  made.commit();
  made.git({"branch", "side/way"});
  made.skill("third");
  made.commit();
  const Folder cache;
  const auto count = [&](const std::string &ref) {
    Instance source(configured(made, R"("ref": ")" + ref + "\""), cache.at("c"));
    const Listing all = source.list();
    INFO(ref << ": " << source.failure());
    CHECK(all.status == SKH_OK);
    return all.documents.size();
  };
  CHECK(count("v1") == 1);
  CHECK(count("plain") == 1);
  CHECK(count(first) == 1);
  CHECK(count("side/way") == 2);
  CHECK(count("refs/heads/trunk") == 3);
  Instance missing(configured(made, R"("ref": "nowhere")"), cache.at("c"));
  CHECK(missing.list().status == SKH_NOT_FOUND);
  CHECK(missing.failure().find("no branch and no tag \"nowhere\"") != std::string::npos);
}

TEST_CASE("a part of a commit's SHA is looked for in branches and tags alone") {
  const Repository made;
  made.skill("first");
  const std::string first = made.commit();
  made.skill("second");
  const std::string second = made.commit();
  made.git({"tag", "-a", "v2", "-m", "Two"});
  made.git({"checkout", "-q", "--orphan", "strangers"});
  made.skill("third");
  const std::string third = made.commit();
  made.git({"update-ref", "refs/pull/1/head", third});
  made.git({"checkout", "-q", "trunk"});
  made.git({"branch", "-q", "-D", "strangers"});
  const Folder cache;
  const auto count = [&](const std::string &ref) {
    Instance source(configured(made, R"("ref": ")" + ref + "\""), cache.at(ref));
    return source.list().documents.size();
  };
  CHECK(count(first.substr(0, 8)) == 1);
  CHECK(count(second.substr(0, 7)) == 2);
  Instance taken(configured(made, R"("ref": ")" + third.substr(0, 8) + "\""), cache.at("pull"));
  CHECK(taken.list().status == SKH_NOT_FOUND);
  INFO(taken.failure());
  CHECK(taken.failure().find("neither a branch nor a tag leads to") != std::string::npos);
  // A branch named like the commit does not replace it.
  made.git({"update-ref", "refs/heads/" + first, second});
  CHECK(count(first) == 1);
  made.git({"update-ref", "refs/heads/refs/tags/v2", first});
  Instance tagged(configured(made, R"("ref": "refs/tags/v2")"), cache.at("tagged"));
  CHECK(tagged.list().documents.size() == 2);
}

TEST_CASE(
    "git gives way to the API neither for a pinned commit nor with a token for another host") {
  const auto mayTurn = [](const std::string &more) {
    return skillhost::github::Settings(R"({"url": "https://git.example.org/a/b", )" + more + "}")
        .mayTurnToApi;
  };
  const std::string other = R"("api_url": "https://api.example.net/v3")";
  const std::string pin = R"("pin": ")" + std::string(40, 'a') + "\"";
  CHECK(mayTurn(R"("api_url": "https://git.example.org/api/v3")"));
  CHECK(mayTurn(R"("api_url": "https://git.example.org/api/v3", "token": "t")"));
  CHECK(mayTurn(other));
  CHECK_FALSE(mayTurn(other + R"(, "token": "t")"));
  CHECK_FALSE(mayTurn(other + R"(, "token_command": ["t"])"));
  CHECK_FALSE(mayTurn(R"("api_url": "https://git.example.org/api/v3", )" + pin));
  CHECK(skillhost::github::Settings(R"({"url": "a/b", "token": "t"})").mayTurnToApi);
  CHECK_FALSE(skillhost::github::Settings(R"({"url": "a/b", )" + pin + "}").mayTurnToApi);
  CHECK_FALSE(
      skillhost::github::Settings(R"({"url": "a/b", "token": "t", )" + other + "}").mayTurnToApi);
}

TEST_CASE("only the pinned commit is served") {
  const Repository made;
  made.skill("reviewed");
  const std::string pinned = made.commit();
  const Folder cache;
  const std::string configuration = configured(made, R"("pin": ")" + pinned + "\"");
  { // the branch may have moved on
    made.skill("later");
    const std::string later = made.commit();
    Instance source(configuration, cache.at("moved"));
    CHECK(source.list().names() == Names{"reviewed:SKILL.md"});
    CHECK(source.logged("refused commit " + later));
  }
  made.git({"checkout", "-q", "--orphan", "other"});
  made.commit();
  made.git({"branch", "-q", "-D", "trunk"});
  made.git({"branch", "-q", "-m", "trunk"});
  made.git({"reflog", "expire", "--expire=now", "--all"});
  made.git({"gc", "-q", "--prune=now"});
  Instance kept(configuration, cache.at("moved"));
  CHECK(kept.list().names() == Names{"reviewed:SKILL.md"});
  Instance fresh(configuration, cache.at("fresh"));
  CHECK(fresh.list().status == SKH_UNAVAILABLE);
  CHECK(fresh.failure().find("not the pinned " + pinned) != std::string::npos);
}

TEST_CASE("what was known is served when the remote is gone") {
  const Folder cache;
  std::string configuration;
  std::string revision;
  {
    const Repository made;
    made.skill("kept");
    made.commit();
    configuration = configured(made);
    Instance source(configuration, cache.at("c"));
    revision = source.list().documents.at("kept:SKILL.md").revision;
  }
  Instance source(configuration, cache.at("c"));
  CHECK(source.list().names() == Names{"kept:SKILL.md"});
  std::string bytes;
  CHECK(source.read("kept:SKILL.md", revision, bytes) == SKH_OK);
  CHECK(source.awaitLogged("serving commit"));
  CHECK(source.logged("next try in 30 s"));
  Instance nothing(configuration, cache.at("other"));
  CHECK(nothing.list().status == SKH_UNAVAILABLE);
}

TEST_CASE("a mistyped ref loses nothing of what was fetched") {
  const Folder cache;
  std::string known;
  {
    const Repository made;
    made.skill("kept");
    made.commit();
    known = configured(made);
    const std::string mistyped = configured(made, R"("ref": "nowhere")");
    CHECK(Instance(known, cache.at("c")).list().names() == Names{"kept:SKILL.md"});
    Instance wrong(mistyped, cache.at("c"));
    CHECK(wrong.list().status == SKH_NOT_FOUND);
    CHECK(wrong.list().names().empty());
  }
  Instance source(known, cache.at("c")); // while the remote is away
  const Listing all = source.list();
  INFO(source.failure() << source.everything());
  REQUIRE(all.names() == Names{"kept:SKILL.md"});
  std::string bytes;
  const std::string &revision = all.documents.at("kept:SKILL.md").revision;
  CHECK(source.read("kept:SKILL.md", revision, bytes) == SKH_OK);
  CHECK(source.awaitLogged("serving commit"));
  CHECK_FALSE(source.logged("damaged"));
}

TEST_CASE("another ref of a known repository is fetched into the same cache") {
  const Repository made;
  made.skill("first");
  made.commit();
  made.git({"branch", "side"});
  made.skill("second");
  made.commit();
  const Folder cache;
  const std::string trunk = configured(made);
  const std::string side = configured(made, R"("ref": "side")");
  CHECK(Instance(trunk, cache.at("c")).list().names().size() == 2);
  const std::string packs = cache.at("c") + "/repository.git/objects/pack";
  SECTION("that is whole") {}
  SECTION("whose packs are lost") { std::filesystem::remove_all(packs); }
  SECTION("whose packs are cut short") {
    for (const auto &file : std::filesystem::directory_iterator(packs)) {
      std::filesystem::permissions(file.path(), std::filesystem::perms::owner_all);
      std::filesystem::resize_file(file.path(), 40);
    }
  }
  Instance other(side, cache.at("c"));
  CHECK(other.list().names() == Names{"first:SKILL.md"});
  INFO(other.failure() << other.everything());
  CHECK(Instance(trunk, cache.at("c")).list().names().size() == 2);
}

TEST_CASE("a cache that is damaged, foreign or of a killed process does not matter") {
  const Repository made;
  made.skill("a");
  made.commit();
  const Folder cache;
  const std::string folder = cache.at("c");
  const auto lists = [&] {
    Instance source(configured(made), folder);
    const Listing all = source.list();
    INFO(source.failure() << source.everything());
    return all.status == SKH_OK && all.names() == Names{"a:SKILL.md"};
  };
  REQUIRE(lists());
  const std::string state = folder + "/state.json";
  const std::string repository = folder + "/repository.git";
  SECTION("half a state file") { std::ofstream(state) << R"({"version": 1, "url")"; }
  SECTION("the state file of a later version") { std::ofstream(state) << R"({"version": 2})"; }
  SECTION("no objects any more") { std::filesystem::remove_all(repository + "/objects/pack"); }
  SECTION("packs cut short") {
    for (const auto &file : std::filesystem::directory_iterator(repository + "/objects/pack")) {
      std::filesystem::permissions(file.path(), std::filesystem::perms::owner_all);
      std::filesystem::resize_file(file.path(), 40);
    }
  }
  SECTION("no repository any more") { std::filesystem::remove_all(repository); }
  SECTION("a file in place of the repository") {
    std::filesystem::remove_all(repository);
    std::ofstream(repository) << "x";
  }
  CHECK(lists());
  CHECK(lists());
}

TEST_CASE("locks that a killed process left hold nothing up") {
  const Repository made;
  made.skill("a");
  made.commit();
  const Folder cache;
  const std::string folder = cache.at("c");
  const std::string pack = folder + "/repository.git/objects/pack/pack_git2_half";
  {
    Instance source(configured(made), folder);
    REQUIRE(source.list().names() == Names{"a:SKILL.md"});
  }
  std::ofstream(folder + "/repository.git/refs/skillhost/served.lock") << "x";
  std::ofstream(pack) << "PACK";
  made.skill("b");
  const std::string commit = made.commit();
  Instance source(configured(made), folder);
  if (source.list().snapshot != commit) source.awaitChanged();
  CHECK(source.list().names() == Names{"a:SKILL.md", "b:SKILL.md"});
  CHECK_FALSE(std::filesystem::exists(pack));
}

TEST_CASE("a blob whose bytes changed is not served, and the next start fetches anew") {
  const Repository made;
  made.skill("a");
  made.commit();
  const Folder cache;
  const std::string folder = cache.at("c");
  Listing all;
  {
    Instance source(configured(made), folder);
    all = source.list();
    // The snapshot is written to disk after it is published.
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(100);
    while (!std::filesystem::exists(folder + "/snapshot") &&
           std::chrono::steady_clock::now() < patience)
      std::this_thread::yield();
  }
  for (const auto &file :
       std::filesystem::directory_iterator(folder + "/repository.git/objects/pack")) {
    if (file.path().extension() != ".pack") continue;
    std::filesystem::permissions(file.path(), std::filesystem::perms::owner_all);
    // The blob is the last object before the checksum of 20 bytes, so its compressed data end
    // there.
    const auto size = std::filesystem::file_size(file.path());
    std::fstream bytes(file.path(), std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(static_cast<std::streamoff>(size) - 21);
    bytes.put('~');
  }
  const Listed wanted = all.documents.at("a:SKILL.md");
  std::string bytes;
  {
    Instance source(configured(made), folder);
    // The text comes from the kept snapshot, but only once.
    CHECK(source.read("a:SKILL.md", wanted.revision, bytes) == SKH_OK);
    bytes.clear();
    const skh_status read = source.read("a:SKILL.md", wanted.revision, bytes);
    INFO(source.failure());
    CHECK(read == SKH_CORRUPT);
    CHECK(bytes.empty());
  }
  Instance healed(configured(made), folder);
  CHECK(healed.list().status == SKH_OK);
  CHECK(healed.read("a:SKILL.md", wanted.revision, bytes) == SKH_OK);
}

TEST_CASE("a start from the cache offers and says what the one before did") {
  const Repository made;
  made.skill("a");
  made.write("a/notes.md", "Notes.\n");
  made.link("/etc/passwd", "a/leads-out");
  made.skill("b");
  made.commit();
  const Folder cache;
  const auto seen = [&](const std::string &more) {
    Instance source(configured(made, more), cache.at("c"));
    const Listing all = source.list();
    CHECK(source.awaitLogged("the symbolic link leads out of its skill"));
    for (const auto &[name, document] : all.documents)
      for (int i = 0; i < 2; ++i) {
        std::string bytes;
        CHECK(source.read(name, document.revision, bytes) == SKH_OK);
        CHECK(bytes.size() == document.length);
      }
    return all.names();
  };
  const Names everything{"a:SKILL.md", "a:notes.md", "b:SKILL.md"};
  CHECK(seen("") == everything);
  CHECK(seen("") == everything);
  CHECK(seen(R"("exclude": ["b"])") == Names{"a:SKILL.md", "a:notes.md"});
  CHECK(seen("") == everything);
}

TEST_CASE("the packs of many fetches become one, and nothing is lost") {
  const Repository made;
  made.skill("a");
  made.write("a/notes.md", "The first notes.\n");
  made.commit();
  const Folder cache;
  const std::string packs = cache.at("c") + "/repository.git/objects/pack";
  const auto count = [&] {
    std::size_t found = 0;
    for (const auto &file : std::filesystem::directory_iterator(packs))
      found += file.path().extension() == ".pack" ? 1 : 0;
    return found;
  };
  std::size_t most = 0;
  bool compacted = false;
  std::string text;
  for (int round = 0; round < 100 && !compacted; ++round) {
    text = "Notes of round " + std::to_string(round) + ".\n";
    // Most lines are the same as in the previous round, so that packs contain deltas.
    for (int line = 0; line < 2000; ++line)
      text += "Line " + std::to_string(line * line) + " of many.\n";
    made.write("a/notes.md", text);
    const std::string commit = made.commit();
    Instance source(configured(made), cache.at("c"));
    const Listing before = source.list(); // of the previous round or already of this one
    if (before.snapshot != commit) source.awaitChanged();
    most = std::max(most, count());
    // Listing again waits for another check, which must be at least a second later.
    if (round % 8 != 0 && count() <= 50 && !source.logged("the cache has been compacted")) continue;
    const Listing all = source.list();
    REQUIRE(all.snapshot == commit);
    compacted = source.logged("the cache has been compacted") ||
                (count() > 50 && source.awaitLogged("the cache has been compacted"));
    most = std::max(most, count());
    std::string bytes;
    CHECK(source.read("a:notes.md", all.documents.at("a:notes.md").revision, bytes) == SKH_OK);
    CHECK(bytes == text);
    bytes.clear(); // earlier documents can still be read
    CHECK(source.read("a:notes.md", before.documents.at("a:notes.md").revision, bytes) == SKH_OK);
  }
  CHECK(compacted);
  CHECK(most >= 50);
  CHECK(count() == 1);
  made.write("a/notes.md", "The last notes.\n");
  const std::string last = made.commit();
  Instance source(configured(made), cache.at("c"));
  if (source.list().snapshot != last) source.awaitChanged();
  CHECK(source.list().snapshot == last);
  CHECK(count() == 2);
}

TEST_CASE("a configuration that the commit cannot fulfil is said") {
  const Repository made;
  made.skill("skills/a");
  made.commit();
  const Folder cache;
  Instance good(configured(made, R"("subpath": "skills/a")"), cache.at("1"));
  CHECK(good.list().names() == Names{"a:SKILL.md"});
  Instance wrong(configured(made, R"("subpath": "skils")"), cache.at("2"));
  CHECK(wrong.list().status == SKH_UNAVAILABLE);
  CHECK(wrong.failure().find("has no folder \"skils\"") != std::string::npos);
  Instance many(configured(made, R"("max_files": 2)"), cache.at("3"));
  CHECK(many.list().status == SKH_UNAVAILABLE);
  CHECK(many.failure().find("max_files") != std::string::npos);
  const Repository empty;
  Instance nothing(configured(empty), cache.at("4"));
  CHECK(nothing.list().status == SKH_UNAVAILABLE);
  CHECK(nothing.failure().find("the repository is empty") != std::string::npos);
}

TEST_CASE("many threads read at once") {
  const Repository made;
  for (int i = 0; i < 20; ++i)
    made.write("s/f" + std::to_string(i), std::string(9'000, 'a') + std::to_string(i));
  made.skill("s");
  made.commit();
  const Folder cache;
  Instance source(configured(made), cache.at("c"));
  const Listing all = source.list();
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      for (const auto &[name, document] : all.documents) {
        std::string bytes;
        if (source.read(name, document.revision, bytes) != SKH_OK ||
            bytes.size() != document.length)
          ++wrong;
      }
    });
  for (std::thread &thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("a host without a cache directory is served, and told") {
  const Repository made;
  made.skill("a");
  made.commit();
  Instance source(configured(made), "");
  CHECK(source.list().names() == Names{"a:SKILL.md"});
  CHECK(source.logged("no cache directory"));
}
