// SPDX-License-Identifier: Apache-2.0
// Tests of session ids: who can open an id, and which texts nobody can open.
#include "catch2.hpp"
#include "ended_sessions.hpp"
#include "ground/base64.hpp"
#include "session_ids.hpp"

#include <string>
#include <vector>

using namespace skillhost;

namespace {

constexpr std::int64_t dayOfTest = 1'785'196'800; // 2026-07-28
constexpr std::chrono::seconds maxAge{1'000};

SessionIds idsOf(const std::string &secret) {
  return {Blake3Key::derived("skillhost test of session ids", secret), maxAge};
}

SessionIdentity someone() {
  SessionIdentity identity;
  identity.name = SessionIds::newName();
  identity.issuedAt = dayOfTest;
  identity.capabilities = 5;
  identity.client = "an editor, ä";
  return identity;
}

} // namespace

TEST_CASE("whoever has the key opens a session from its id") {
  const SessionIds here = idsOf("one"), elsewhere = idsOf("one");
  const SessionIdentity identity = someone();
  for (const std::string &owner : {std::string(), std::string("https://id.example\nada")}) {
    const std::string id = here.seal(identity, owner);
    CHECK(id.size() < 300);
    for (const char c : id) CHECK((c > 0x20 && c < 0x7f));
    CHECK(id.find("editor") == std::string::npos);
    CHECK(id.find(identity.name) == std::string::npos);
    const auto opened = elsewhere.open(id, owner, dayOfTest + 1);
    REQUIRE(opened);
    CHECK(opened->name == identity.name);
    CHECK(opened->issuedAt == dayOfTest);
    CHECK(opened->capabilities == 5);
    CHECK(opened->client == "an editor, ä");
    CHECK(elsewhere.endOf(*opened) == dayOfTest + maxAge.count());
  }
}

TEST_CASE("an id is for its owner, its key and its time") {
  const SessionIds ids = idsOf("one");
  const std::string id = ids.seal(someone(), "ada"), nobodys = ids.seal(someone(), "");
  CHECK(ids.open(id, "ada", dayOfTest));
  CHECK_FALSE(ids.open(id, "bob", dayOfTest));
  CHECK_FALSE(ids.open(id, "", dayOfTest));
  CHECK_FALSE(ids.open(nobodys, "ada", dayOfTest));
  CHECK_FALSE(idsOf("two").open(id, "ada", dayOfTest)); // the secret was changed
  CHECK(ids.open(id, "ada", dayOfTest + maxAge.count() - 1));
  CHECK_FALSE(ids.open(id, "ada", dayOfTest + maxAge.count()));
  CHECK(ids.open(id, "ada", dayOfTest - 30)); // the clocks of two replicas may differ
  CHECK_FALSE(ids.open(id, "ada", dayOfTest - 3'600));
  // A raised limit does not revive an old id.
  const SessionIds longer(Blake3Key::derived("skillhost test of session ids", "one"), maxAge * 10);
  CHECK(longer.open(id, "ada", dayOfTest + maxAge.count() - 1));
  CHECK_FALSE(longer.open(id, "ada", dayOfTest + maxAge.count()));
  // A replica with another configuration decides by its own limit.
  CHECK_FALSE(SessionIds(Blake3Key::derived("skillhost test of session ids", "one"),
                         std::chrono::seconds(10))
                  .open(id, "ada", dayOfTest + 10));
}

TEST_CASE("what was cut, altered, made longer or made up is no id") {
  const SessionIds ids = idsOf("one");
  const std::string id = ids.seal(someone(), "");
  for (std::size_t size = 0; size < id.size(); ++size)
    CHECK_FALSE(ids.open(id.substr(0, size), "", dayOfTest));
  for (std::size_t at = 0; at < id.size(); ++at) {
    std::string altered = id;
    altered[at] = altered[at] == 'A' ? 'B' : 'A';
    CHECK_FALSE(ids.open(altered, "", dayOfTest));
  }
  const std::vector<std::string> others{id + "A",
                                        id + "=",
                                        " " + id,
                                        std::string(32, 'a'),
                                        std::string(4'096, 'A'),
                                        std::string("\0\xff", 2),
                                        encodeBase64Url(std::string(200, '\0'))};
  for (const std::string &one : others) CHECK_FALSE(ids.open(one, "", dayOfTest));
}

TEST_CASE("the longest name of a client leaves an id short") {
  const SessionIds ids = idsOf("one");
  SessionIdentity identity = someone();
  identity.client = std::string(10'000, 'x');
  const std::string id = ids.seal(identity, std::string(10'000, 'y'));
  CHECK(id.size() <= SessionIds::longest);
  const auto opened = ids.open(id, std::string(10'000, 'y'), dayOfTest);
  REQUIRE(opened);
  CHECK(opened->client == std::string(200, 'x'));
}

TEST_CASE("a code is of its kind, its session and its name") {
  const SessionIds ids = idsOf("one");
  CHECK(ids.code("question", "a", "1") == ids.code("question", "a", "1"));
  CHECK(ids.code("question", "a", "1").size() == 32);
  CHECK(ids.code("question", "a", "1") != ids.code("question", "b", "1"));
  CHECK(ids.code("question", "a", "1") != ids.code("question", "a", "2"));
  CHECK(ids.code("question", "a1", "") != ids.code("question", "a", "1"));
}

TEST_CASE("ended sessions are remembered until their ids are too old") {
  EndedSessions ended(3);
  ended.add("a", dayOfTest + 10, dayOfTest);
  ended.add("a", dayOfTest + 10, dayOfTest);
  ended.add("old", dayOfTest, dayOfTest);
  CHECK(ended.contains("a"));
  CHECK_FALSE(ended.contains("old"));
  CHECK_FALSE(ended.contains("b"));
  ended.add("b", dayOfTest + 20, dayOfTest + 11);
  CHECK_FALSE(ended.contains("a"));
  CHECK(ended.all().size() == 1);
  CHECK_FALSE(ended.mayContain("x", dayOfTest + 20)); // "a" was forgotten when its time had passed
  // When there are too many, those go first that would be forgotten first.
  for (const char *name : {"c", "d", "e"}) ended.add(name, dayOfTest + 30, dayOfTest + 12);
  CHECK(ended.all().size() == 3);
  CHECK_FALSE(ended.contains("b"));
  CHECK(ended.contains("e"));
  // A session that expires no later than one of these may be a forgotten one.
  CHECK(ended.mayContain("x", dayOfTest + 20));
  CHECK_FALSE(ended.mayContain("x", dayOfTest + 30));
}
