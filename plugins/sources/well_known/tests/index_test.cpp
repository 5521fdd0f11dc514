// SPDX-License-Identifier: Apache-2.0
// Tests the parsing of an index and of the configuration that names it.
#include "catch2.hpp"
#include "http_client/web_address.hpp"
#include "well_known/index.hpp"
#include "well_known/settings.hpp"

#include <skillhost/plugin.hpp>

#include <nlohmann/json.hpp>

using namespace skillhost::well_known;
using skillhost::web::readWebAddress;
using Json = nlohmann::json;

namespace {

const std::string url = "https://example.org/.well-known/agent-skills/index.json";
const std::string digest(64, 'a');

Json entry(const std::string &name) {
  return {{"name", name},
          {"type", "skill-md"},
          {"description", "Does it."},
          {"url", name + "/SKILL.md"},
          {"digest", "sha256:" + digest},
          {"future", Json::array({1})}};
}

Index read(const Json &skills, std::size_t most = 100) {
  const Json document{{"$schema", "https://schemas.agentskills.io/discovery/0.2.0/schema.json"},
                      {"skills", skills},
                      {"future", true}};
  return readIndex(document.dump(), url, {most, 8, false});
}

std::string finding(const std::string &key, const Json &value) {
  Json wrong = entry("a");
  wrong[key] = value;
  const Index index = read(Json::array({wrong}));
  CHECK(index.entries.empty());
  REQUIRE(index.findings.size() == 1);
  return index.findings.front();
}

std::string refused(const std::string &text) {
  try {
    readIndex(text, url, {100, 8, false});
    return "taken";
  } catch (const skh::Error &error) {
    return error.what();
  }
}

bool hasWord(const std::string &text, const std::string &part) {
  return text.find(part) != text.npos;
}

} // namespace

TEST_CASE("an index is read, and fields that nobody knows are passed over") {
  Json archive = entry("b-2");
  archive["type"] = "archive";
  archive["url"] = "https://cdn.example.org/b.zip?x=1#part";
  const Index index = read(Json::array({entry("a"), archive}));
  REQUIRE(index.entries.size() == 2);
  CHECK(index.findings.empty());
  CHECK(index.entries[0].url == "https://example.org/.well-known/agent-skills/a/SKILL.md");
  CHECK(index.entries[0].kind == ArtefactKind::document);
  CHECK(index.entries[0].digest == digest);
  CHECK(index.entries[1].kind == ArtefactKind::archive);
  CHECK(index.entries[1].url == "https://cdn.example.org/b.zip?x=1");
}

TEST_CASE("an entry that is wrong is left out by name and reason") {
  for (const char *name : {"", "A", "-a", "a-", "a--b", "../a", "a/b", "a b", "ä"})
    CHECK(hasWord(finding("name", name),
                  "skills[0] \"" + std::string(name) + "\" left out: name: must be"));
  CHECK(hasWord(finding("name", std::string(65, 'a')), "left out: name"));
  CHECK(hasWord(finding("name", 3), "skills[0] left out: name: must be a text"));
  CHECK(hasWord(finding("type", "wasm"), "type: \"wasm\" is none that is known"));
  CHECK(hasWord(finding("description", nullptr), "description: must be a text"));
  CHECK(hasWord(finding("digest", digest), "digest: must be sha256:"));
  CHECK(hasWord(finding("digest", "sha256:" + std::string(64, 'A')), "digest: must be sha256:"));
  CHECK(hasWord(finding("url", "file:///etc/passwd"), "is no address"));
  CHECK(hasWord(finding("url", "https://u:p@example.org/x"), "is no address"));
  CHECK(hasWord(finding("url", ""), "is no address"));
}

TEST_CASE("of two with one name the first counts, and of too many the first ones") {
  const Index twice = read(Json::array({entry("a"), entry("a"), entry("b")}));
  CHECK(twice.entries.size() == 2);
  REQUIRE(twice.findings.size() == 1);
  CHECK(
      hasWord(twice.findings.front(), "skills[1] \"a\" left out: an earlier entry has that name"));
  const Index many = read(Json::array({entry("a"), entry("b"), entry("c"), entry("d")}), 2);
  CHECK(many.entries.size() == 2);
  CHECK(hasWord(many.findings.front(), "skills[2] and what follows, 2 entries, left out"));
  Json wrong = Json::array();
  for (int i = 0; i < 1'000; ++i) wrong.push_back(i);
  CHECK(read(wrong).findings.size() == 101);
}

TEST_CASE("what is no index of this version is refused") {
  CHECK(hasWord(refused("{"), "must be a JSON object"));
  CHECK(hasWord(refused("[]"), "must be a JSON object"));
  CHECK(hasWord(refused(R"({"skills":[]})"), "has no $schema"));
  CHECK(hasWord(refused(R"({"$schema":"https://x/","skills":[]})"),
                "of a version that is not known"));
  CHECK(hasWord(
      refused(R"({"$schema":"https://schemas.agentskills.io/discovery/0.2.0/schema.json"})"),
      "has no list \"skills\""));
}

TEST_CASE("addresses are made absolute as RFC 3986 hasWord it") {
  const auto resolved = [](const std::string &reference) {
    const auto address = readWebAddress(reference, url);
    return address ? address->url : std::string("none");
  };
  CHECK(resolved("a/SKILL.md") == "https://example.org/.well-known/agent-skills/a/SKILL.md");
  CHECK(resolved("/x?y=1") == "https://example.org/x?y=1");
  CHECK(resolved("../x") == "https://example.org/.well-known/x");
  CHECK(resolved("../../../../x") == "https://example.org/x");
  CHECK(resolved("//cdn.example.org/x") == "https://cdn.example.org/x");
  CHECK(resolved("HTTPS://CDN.example.org:443/x") == "https://cdn.example.org/x");
  CHECK(resolved("a\\b") == "none");
  CHECK(resolved("a b") == "none");
  CHECK(readWebAddress("https://[2001:DB8::1]:8443/x")->origin == "https://[2001:db8::1]:8443");
  CHECK(readWebAddress("http://127.0.0.1:80")->origin == "http://127.0.0.1");
  CHECK_FALSE(readWebAddress("x/y"));
  CHECK_FALSE(readWebAddress(std::string(3'000, 'x'), url));
}

TEST_CASE("the configuration names an index, and says which key is wrong") {
  const auto settings = [](const Json &json) { return Settings(std::string_view(json.dump())); };
  CHECK(settings({{"url", "https://Example.org"}}).indexUrl == url);
  CHECK(settings({{"url", "https://example.org/"}}).indexUrl == url);
  CHECK(settings({{"url", "https://example.org/team/"}}).indexUrl ==
        "https://example.org/team/.well-known/agent-skills/index.json");
  CHECK(settings({{"url", "https://example.org/x.json"}}).indexUrl == "https://example.org/x.json");
  CHECK(settings({{"url", "http://localhost:8080"}}).access.origins.front() ==
        "http://localhost:8080");
  const auto wrong = [&](const Json &json) -> std::string {
    try {
      settings(json);
      return "taken";
    } catch (const skh::Error &error) {
      CHECK_FALSE(hasWord(error.what(), "hidden"));
      return std::string(error.what()).substr(0, std::string(error.what()).find(':'));
    }
  };
  const std::string good = "https://example.org";
  CHECK(wrong({{"url", "http://example.org"}}) == "url");
  CHECK(wrong({{"url", "example.org"}}) == "url");
  CHECK(wrong({{"url", "https://u:hidden@example.org"}}) == "url");
  CHECK(wrong({{"url", "https://example.org?x=1"}}) == "url");
  CHECK(wrong({{"url", good}, {"allow_origins", {"https://cdn.example.org/path"}}}) ==
        "allow_origins");
  CHECK(wrong({{"url", good}, {"allow_origins", {"http://cdn.example.org"}}}) == "allow_origins");
  CHECK(wrong({{"url", good}, {"token", "a b"}}) == "token");
  CHECK(wrong({{"url", good}, {"refresh_minutes", -1}}) == "refresh_minutes");
  CHECK(wrong({{"url", good}, {"include", {"/a"}}}) == "include");
  CHECK(wrong({{"url", good}, {"max_skills", 0}}) == "max_skills");
}

TEST_CASE("an index without digests is only read if that is allowed") {
  const auto older = [](const Json &files, const std::string &name = "a") {
    const Json document{
        {"skills", Json::array({{{"name", name}, {"description", "d"}, {"files", files}}})}};
    return readIndex(document.dump(), "https://example.org/.well-known/skills/index.json",
                     {100, 8, true});
  };
  CHECK(hasWord(refused(R"({"skills":[]})"), "allow_unverified: true"));
  const Index index = older({"b/c d.md", "SKILL.md"});
  REQUIRE(index.entries.size() == 1);
  CHECK_FALSE(index.isVerified);
  CHECK(index.entries[0].url == "https://example.org/.well-known/skills/a/SKILL.md");
  CHECK(index.entries[0].files == std::vector<std::string>{"SKILL.md", "b/c d.md"});
  for (const char *const path :
       {"", "/etc/passwd", "../x", "a/../../x", "./x", "a//b", "a/", "a\\b", "a\nb"}) {
    const Index wrong = older({"SKILL.md", path});
    CHECK(wrong.entries.empty());
    CHECK(hasWord(wrong.findings.at(0), "is no path of a file"));
  }
  CHECK(hasWord(older({"x"}).findings.at(0), "SKILL.md is not among them"));
  CHECK(hasWord(older({"SKILL.md", "SKILL.md"}).findings.at(0), "occurs twice"));
  CHECK(hasWord(older({"SKILL.md", 3}).findings.at(0), "must be texts"));
  CHECK(hasWord(older("SKILL.md").findings.at(0), "must be a list"));
  CHECK(hasWord(older(Json(std::vector<std::string>(9, "SKILL.md"))).findings.at(0),
                "max_skill_files"));
  CHECK(older({"SKILL.md"}, "../a").entries.empty());
}

TEST_CASE("the older place is only looked at for a server, not for an index") {
  CHECK(Settings(R"({"url":"https://a.b/team"})").olderIndexUrl ==
        "https://a.b/team/.well-known/skills/index.json");
  CHECK(Settings(R"({"url":"https://a.b/.well-known/agent-skills/index.json"})")
            .olderIndexUrl.empty());
  CHECK(Settings(R"({"url":"https://a.b/i.json"})").olderIndexUrl.empty());
}
