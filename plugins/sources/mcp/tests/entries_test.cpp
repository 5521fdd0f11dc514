// SPDX-License-Identifier: Apache-2.0
// Tests which listed skills are taken, and the configuration.
#include "catch2.hpp"
#include "mcp/entries.hpp"
#include "mcp/settings.hpp"

#include <skillhost/plugin.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

using namespace skillhost;
using namespace skillhost::mcp_source;

namespace {

using Files = std::vector<std::pair<std::string, unsigned>>; // path and size

Json entry(const std::string &folder, const Files &files = {{"SKILL.md", 3}}) {
  Json resources = Json::array();
  for (const auto &[path, size] : files)
    resources.push_back({{"uri", folder + '/' + path},
                         {"digest", "sha256:" + std::string(64, 'a')},
                         {"size", size}});
  return {{"uri", folder + "/SKILL.md"},
          {"frontmatter", {{"name", "a"}, {"description", "d"}}},
          {"resources", resources}};
}

Settings settings(const Json &more = Json::object()) {
  Json config{{"url", "https://a.example/mcp"}};
  config.update(more);
  return Settings(std::string_view(config.dump()));
}

std::string finding(const Json &one, const Json &more = Json::object()) {
  const Entries entries = readEntries({one}, settings(more));
  CHECK(entries.skills.empty());
  REQUIRE(entries.findings.size() == 1);
  return entries.findings.front();
}

bool hasWord(const std::string &text, const std::string &part) {
  return text.find(part) != text.npos;
}

} // namespace

TEST_CASE("the path of a skill's URI is its id") {
  const Entries entries =
      readEntries({entry("skill://acme/billing/refunds", {{"SKILL.md", 3}, {"a%20b/c.md", 5}}),
                   entry("skill://x")},
                  settings());
  CHECK(entries.findings.empty());
  REQUIRE(entries.skills.size() == 2);
  const StoredSkill &skill = entries.skills[0];
  CHECK(
      (skill.id == "acme/billing/refunds" && skill.uri == "skill://acme/billing/refunds/SKILL.md"));
  REQUIRE(skill.documents.size() == 2);
  CHECK(skill.documents[1].path == "a b/c.md");
  CHECK(skill.documents[1].uri == "skill://acme/billing/refunds/a%20b/c.md");
  CHECK((skill.documents[1].size == 5 && skill.documents[1].revision == std::string(64, 'a')));
}

TEST_CASE("a file of a skill within another one belongs to the inner skill") {
  const Files outer{
      {"SKILL.md", 1}, {"in/SKILL.md", 1}, {"in/x.md", 1}, {"in.md", 1}, {"out/y", 1}};
  const Entries both = readEntries(
      {entry("skill://a", outer), entry("skill://a/in", {{"SKILL.md", 1}, {"x.md", 1}})},
      settings());
  REQUIRE(both.skills.size() == 2);
  std::vector<std::string> paths;
  for (const StoredDocument &one : both.skills[0].documents) paths.push_back(one.path);
  CHECK(paths == std::vector<std::string>{"SKILL.md", "in.md", "out/y"});
  CHECK(both.skills[1].documents.size() == 2);
  CHECK(readEntries({entry("skill://a", outer)}, settings()).skills[0].documents.size() == 5);
}

TEST_CASE("a skill that is left out is not served as a part of the outer one") {
  const std::vector<Json> listed{
      entry("skill://a", {{"SKILL.md", 1}, {"in/SKILL.md", 1}, {"in/x.md", 1}}),
      entry("skill://a/in", {{"SKILL.md", 1}, {"x.md", 1}, {"y.md", 1}, {"z.md", 1}})};
  for (const Json &config : {Json{{"exclude", {"a/in"}}}, Json{{"max_skill_files", 3}}}) {
    const Entries entries = readEntries(listed, settings(config));
    REQUIRE(entries.skills.size() == 1);
    CHECK(entries.skills[0].id == "a");
    CHECK(entries.skills[0].documents.size() == 1);
  }
}

TEST_CASE("what cannot be served is left out by URI and reason") {
  for (const char *folder : {"https://a.example/x", "skill:/", "skill://..", "skill://a/../b",
                             "skill://a//b", "skill://a%2Fb/%00", "skill://a%zz", "skill://a\\b"})
    CHECK(hasWord(finding(entry(folder)), "its URI is no skill://"));
  CHECK(finding(entry("skill://a", {{"SKILL.md", 1}, {"../../x", 1}})) ==
        "skill://a/SKILL.md left out: \"../../x\" is no path that can be served");
  CHECK(hasWord(finding(entry("skill://a", {{"x.md", 1}})), "does not list its SKILL.md"));
  CHECK(hasWord(finding(entry("skill://a", {{"SKILL.md", 1}, {"B", 1}, {"b", 1}})),
                "differs from another file only in case"));
  CHECK(hasWord(finding(entry("skill://a", {{"SKILL.md", 6}, {"x", 5}}), {{"max_skill_bytes", 10}}),
                "more than 10 bytes (max_skill_bytes)"));
  CHECK(hasWord(finding(entry("skill://a", {{"SKILL.md", 1}, {"x", 1}}), {{"max_skill_files", 1}}),
                "more than 1 files (max_skill_files)"));
  Json unsized = entry("skill://a");
  unsized["resources"][0].erase("size");
  CHECK(hasWord(finding(unsized), "does not say the size of SKILL.md"));
  Json dynamic = entry("skill://a");
  dynamic["resources"] = "dynamic";
  CHECK(hasWord(finding(dynamic), "does not list its files"));
  const Entries twice = readEntries({entry("skill://a"), entry("skill://%61")}, settings());
  CHECK(twice.skills.size() == 1);
  CHECK(hasWord(twice.findings.at(0), "another skill has its path"));
}

TEST_CASE("a server that fills the log is cut short") {
  const Entries entries = readEntries(std::vector<Json>(1'000, entry("x://a")), settings());
  CHECK(entries.findings.size() == 101);
  CHECK(entries.findings.back() == "900 further skills are left out");
}

TEST_CASE("patterns select skills by their paths, without a finding") {
  const std::vector<Json> listed{entry("skill://team/a"), entry("skill://team/b"),
                                 entry("skill://c")};
  const Entries some = readEntries(listed, settings({{"include", {"team"}}, {"exclude", {"*/b"}}}));
  CHECK(some.findings.empty());
  REQUIRE(some.skills.size() == 1);
  CHECK(some.skills[0].id == "team/a");
}

TEST_CASE("litter is not taken") {
  const Entries entries =
      readEntries({entry("skill://a", {{"SKILL.md", 1}, {".DS_Store", 1}})}, settings());
  CHECK(entries.skills.at(0).documents.size() == 1);
}

TEST_CASE("the configuration names a server, and says which key is wrong") {
  CHECK(settings().shownUrl == "https://a.example/mcp");
  CHECK(settings({{"url", "https://a.example/mcp?key=s3cr3t"}}).shownUrl ==
        "https://a.example/mcp");
  CHECK(settings({{"url", "http://localhost:8080/mcp"}}).address.origin == "http://localhost:8080");
  CHECK(settings({{"deadline_ms", 4'000}}).stallTimeout == std::chrono::seconds(2));
  const auto wrong = [](const Json &more) -> std::string {
    try {
      settings(more);
      return "taken";
    } catch (const skh::Error &error) {
      CHECK_FALSE(hasWord(error.what(), "hidden"));
      return std::string(error.what()).substr(0, std::string(error.what()).find(':'));
    }
  };
  CHECK(wrong({{"url", "http://a.example/mcp"}}) == "url");
  CHECK(wrong({{"url", "https://u:hidden@a.example/mcp"}}) == "url");
  CHECK(wrong({{"token", "a b"}}) == "token");
  CHECK(wrong({{"refresh_minutes", -1}}) == "refresh_minutes");
  CHECK(wrong({{"include", {"/a"}}}) == "include");
  CHECK(wrong({{"max_skills", 0}}) == "max_skills");
  CHECK(wrong({{"deadline_ms", 0}}) == "deadline_ms");
}
