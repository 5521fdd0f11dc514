// SPDX-License-Identifier: Apache-2.0
// Tests which listed skills are taken, and the configuration.
#include "catch2.hpp"
#include "mcp/entries.hpp"
#include "mcp/settings.hpp"
#include "mcp/stream_allowance.hpp"
#include "mcp/way.hpp"

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
  CHECK(settings().shownServer == "https://a.example/mcp");
  CHECK(settings({{"url", "https://a.example/mcp?key=s3cr3t"}}).shownServer ==
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
  CHECK(wrong({{"command", {"a"}}}) == "command"); // beside a url
  const Json client{
      {"client_id", "c"}, {"client_secret", "hidden"}, {"issuer", "https://id.example"}};
  const auto without = [&](const char *key) {
    Json rest = client;
    rest.erase(key);
    return wrong(rest);
  };
  CHECK(wrong(client) == "taken");
  CHECK(without("client_id") == "client_secret");
  CHECK(without("client_secret") == "client_secret");
  CHECK(without("issuer") == "issuer");
  const auto with = [&](const char *key, const Json &value) {
    Json more = client;
    more[key] = value;
    return wrong(more);
  };
  CHECK(with("grant_url", "https://id.example/token") == "issuer");
  CHECK(with("issuer", "http://id.example") == "issuer");
  CHECK(with("client_secret", "a\nb") == "client_secret");
  CHECK(with("token", "t") == "client_id");
  CHECK(with("token_command", {"printf", "t"}) == "client_id");
  CHECK(wrong({{"scope", "a"}}) == "scope");
}

TEST_CASE("the configuration may name a program") {
  const auto program = [](const Json &config) { return Settings(std::string_view(config.dump())); };
  const Settings read =
      program({{"command", {"npx", "-y", "server"}}, {"env", {{"KEY", "a=b"}, {"EMPTY", ""}}}});
  CHECK(read.command == std::vector<std::string>{"npx", "-y", "server"});
  CHECK(read.environment == std::vector<std::string>{"EMPTY=", "KEY=a=b"});
  CHECK(read.shownServer == "npx");
  CHECK(read.identity == program({{"command", {"npx", "-y", "server"}}}).identity);
  CHECK(read.identity != program({{"command", {"npx", "-y server"}}}).identity);
  const auto wrong = [&](const Json &config) -> std::string {
    try {
      program(config);
      return "taken";
    } catch (const skh::Error &error) {
      return error.what();
    }
  };
  CHECK(hasWord(wrong(Json::object()), "url: is missing: write the address"));
  CHECK(wrong({{"command", Json::array()}}) == "command: names no program");
  CHECK(wrong({{"command", {""}}}) == "command: begins with no program");
  CHECK(hasWord(wrong({{"command", {"./a"}}}), "command: \"./a\" must be an absolute path"));
  CHECK(hasWord(wrong({{"command", {"a", std::string("b\0c", 3)}}}), "holds a NUL character"));
  CHECK(
      hasWord(wrong({{"command", {"a"}}, {"ca_file", "/x"}}), "ca_file: is for a server at a url"));
  CHECK(
      hasWord(wrong({{"command", {"a"}}, {"env", {{"A=B", "c"}}}}), "env: \"A=B\" is no variable"));
  CHECK(hasWord(wrong({{"command", {"a"}}, {"env", {{"A", 1}}}}), "env: \"A\" is no variable"));
  CHECK(hasWord(wrong({{"url", "https://a.example"}, {"env", {{"A", "b"}}}}), "env: goes with"));
}

TEST_CASE("a skill that was read from this server before does not come back through another one") {
  const std::string own = wayName("https://a.example/mcp"), other = wayName("https://b.example");
  const auto through = [](const std::string &folder, const std::string &way) {
    Json one = entry(folder);
    one["_meta"]["org.skillhost/facts"] = {{"server", "https://b.example"}, {"through", way}};
    return one;
  };
  const Entries entries =
      readEntries({entry("skill://x"), through("skill://b/y", other + " <script> " + other),
                   through("skill://b/a/x", other + ' ' + own), through("skill://b/a/z", own)},
                  settings());
  REQUIRE(entries.skills.size() == 2);
  CHECK(entries.skills[0].through == own);
  CHECK(entries.skills[1].through == own + ' ' + other + ' ' + other);
  REQUIRE(entries.findings.size() == 1);
  CHECK(
      entries.findings[0] ==
      "2 skills left out, such as skill://b/a/x/SKILL.md: they were read from this server before, "
      "and are back through https://b.example. Each is a source of the other; to end that, remove "
      "a source or set its exclude");
  std::string longWay = other;
  for (int i = 1; i < 16; ++i) longWay += ' ' + other;
  CHECK(hasWord(finding(through("skill://b/y", longWay)), "came through more than 16 servers"));
}

TEST_CASE("a stream may send so much in a minute, and no more from then on") {
  using std::chrono::seconds;
  const auto begin = StreamAllowance::Clock::time_point(seconds(1'000));
  StreamAllowance allowance(100);
  allowance.take(80, begin);
  allowance.take(180, begin + seconds(59));
  allowance.take(400, begin + seconds(60)); // another minute
  allowance.take(500, begin + seconds(61));
  CHECK_THROWS_WITH(allowance.take(501, begin + seconds(61)),
                    "the server sends more than 100 bytes a minute to say what changes");
  CHECK_THROWS(allowance.take(501, begin + seconds(600)));
}
