// SPDX-License-Identifier: Apache-2.0
// Tests which skills of a server are taken, with servers that behave in unexpected ways.
#include "base/fault.hpp"
#include "catch2.hpp"
#include "ground/base64.hpp"
#include "made_source.hpp"
#include "server_source.hpp"

#include <nlohmann/json.hpp>

#include <deque>

using namespace skillhost;
using namespace skillhost::sync;

namespace {

// A server with the skills extension. A test changes its answers.
struct MadeServer {
  Json skills = Json::array();          // of skills/list
  std::map<std::string, Json> contents; // of resources/read, by URI
  Json capabilities{{"extensions", {{"io.modelcontextprotocol/skills", Json::object()}}}};
  Json meta = nullptr;
  int refuses = 0;          // a code of JSON-RPC for each request, unless 0
  std::size_t pageSize = 0; // 1: each page has one skill; 0: one page has them all
  std::size_t endless = 0;  // each page has this many skills, and there is always a next one

  void add(const std::string &name, const FileBytes &files) {
    Json resources = Json::array();
    for (const auto &[path, bytes] : files) {
      const std::string uri = "skill://team/" + name + '/' + path;
      resources.push_back(
          {{"uri", uri}, {"digest", "sha256:" + sha256Hex(bytes)}, {"size", bytes.size()}});
      contents[uri] = {{"uri", uri}, {"text", bytes}};
    }
    skills.push_back({{"uri", "skill://team/" + name + "/SKILL.md"},
                      {"frontmatter", {{"name", name}}},
                      {"resources", std::move(resources)}});
  }

  Json answer(const Json &request) {
    const std::string method = request["method"];
    Json reply{{"jsonrpc", "2.0"}, {"id", request["id"]}};
    if (refuses != 0) {
      reply["error"] = {{"code", refuses}, {"message", "no"}};
    } else if (method == "server/discover") {
      reply["result"] = {{"supportedVersions", {"2026-07-28"}}, {"capabilities", capabilities}};
    } else if (method == "skills/list" && endless != 0) {
      Json page = Json::array();
      for (std::size_t i = 0; i < endless; ++i)
        page.push_back({{"uri", "skill://x/" + std::to_string(listed++) + "/SKILL.md"}});
      reply["result"] = {{"skills", std::move(page)}, {"nextCursor", std::to_string(listed)}};
    } else if (method == "skills/list" && pageSize != 0) { // only the last page has a _meta
      const std::size_t at = std::stoul(request["params"].value("cursor", "0"));
      reply["result"] = {{"skills", Json::array({skills.at(at)})}};
      if (at + 1 < skills.size())
        reply["result"]["nextCursor"] = std::to_string(at + 1);
      else
        reply["result"]["_meta"] = meta;
    } else if (method == "skills/list") {
      reply["result"] = {{"skills", skills}};
      if (!meta.is_null()) reply["result"]["_meta"] = meta;
    } else if (contents.contains(request["params"]["uri"])) {
      reply["result"] = {{"contents", Json::array({contents[request["params"]["uri"]]})}};
    } else {
      reply["error"] = {{"code", -32602}, {"message", "unknown"}};
    }
    return reply;
  }
  std::size_t listed = 0;
};

class MadeChannel final : public ServerChannel {
public:
  explicit MadeChannel(MadeServer &server) : server_(server) {}
  Status send(std::string_view message, Deadline) override {
    waiting_.push_front(server_.answer(Json::parse(message)).dump()); // the last comes first
    return Done{};
  }
  Result<std::string> receive(Deadline) override {
    if (waiting_.empty()) return {Fault::ToolTimeout, "no answer in time"};
    std::string line = std::move(waiting_.front());
    waiting_.pop_front();
    return line;
  }

private:
  MadeServer &server_;
  std::deque<std::string> waiting_;
};

std::unique_ptr<SkillSource> sourceOf(MadeServer &server,
                                      const std::string &url = "https://skills.example/mcp") {
  return serverSource(
      [&server]() -> Result<std::unique_ptr<ServerChannel>> {
        return {std::make_unique<MadeChannel>(server)};
      },
      url, "1");
}

std::string whyLeftOut(MadeServer &server) {
  const Offer offer = sourceOf(server)->offer();
  CHECK(offer.skills.empty());
  return offer.leftOut.empty() ? "" : offer.leftOut.front().why;
}

} // namespace

TEST_CASE("skills of a server are read with all their files") {
  MadeServer server;
  FileBytes files{{"SKILL.md", skillText("pdf")}};
  for (int i = 0; i < 40; ++i) files["f" + std::to_string(i)] = std::to_string(i);
  server.add("pdf", files);
  server.contents["skill://team/pdf/f7"] = {{"blob", encodeBase64("7")}};
  server.skills[0]["resources"].push_back(
      {{"uri", "skill://team/pdf/a%20b.md"}, {"digest", "sha256:" + sha256Hex("x")}, {"size", 1}});
  server.contents["skill://team/pdf/a%20b.md"] = {{"text", "x"}};
  files["a b.md"] = "x";
  const auto source = sourceOf(server);
  CHECK(source->origin("/skills") == "https://skills.example/mcp");
  const Offer offer = source->offer();
  CHECK(offer.leftOut.empty());
  CHECK(offer.whyIncomplete.empty());
  REQUIRE(offer.skills.size() == 1);
  CHECK(source->read(offer.skills.front()) == files);
  const MadeFolder folder;
  CHECK(failuresIn(syncFolder(folder.path, *source, offer, Effect::Apply)).empty());
  CHECK(folder.read("pdf/a b.md") == "x");
}

TEST_CASE("tenants of one server are different sources, and a secret in the query is not written") {
  MadeServer server;
  const std::string one =
      sourceOf(server, "https://skills.example/mcp?key=hush-a")->origin("/skills");
  CHECK(one == sourceOf(server, "https://skills.example/mcp?key=hush-a")->origin("/skills"));
  CHECK(one != sourceOf(server, "https://skills.example/mcp?key=hush-b")->origin("/skills"));
  CHECK(one != sourceOf(server)->origin("/skills"));
  CHECK(one.starts_with("https://skills.example/mcp?sha256:"));
  CHECK(one.find("hush") == std::string::npos);
}

TEST_CASE("a server without the extension is refused") {
  MadeServer server;
  server.capabilities = {{"resources", Json::object()}};
  CHECK_THROWS_WITH(sourceOf(server)->offer(),
                    Catch::Matchers::Contains("does not have the extension"));
  server.refuses = -32601;
  CHECK_THROWS(sourceOf(server)->offer());
}

TEST_CASE("a server that refuses the token is named") {
  MadeServer server;
  server.refuses = describe(Fault::Unauthenticated).jsonRpc;
  CHECK_THROWS_WITH(sourceOf(server)->offer(), Catch::Matchers::Contains("no"));
}

TEST_CASE("a list without an end is given up") {
  MadeServer server;
  server.endless = 1'000;
  CHECK_THROWS_WITH(sourceOf(server)->offer(),
                    Catch::Matchers::Contains("more than 10,000 entries"));
  CHECK(server.listed <= 12'000);
}

TEST_CASE("an entry of the list that is no whole skill is left out with the reason") {
  MadeServer server;
  server.add("pdf", {{"SKILL.md", skillText("pdf")}});
  Json &skill = server.skills[0];
  Json &file = skill["resources"][0];
  SECTION("no name") {
    skill.erase("frontmatter");
    CHECK(whyLeftOut(server) == "the server does not say its name");
  }
  SECTION("a name that leads elsewhere") {
    skill["frontmatter"]["name"] = "../../.ssh";
    CHECK(whyLeftOut(server).starts_with("no agent takes this name"));
  }
  SECTION("no files") {
    skill["resources"] = nullptr;
    CHECK(whyLeftOut(server) == "the server does not list its files");
  }
  SECTION("a file elsewhere") {
    file["uri"] = "skill://team/other/SKILL.md";
    CHECK(whyLeftOut(server) == "a file of it lies outside of the skill");
  }
  SECTION("a file that leads elsewhere") {
    file["uri"] = "skill://team/pdf/%2e%2e/%2e%2e/x";
    CHECK(!whyLeftOut(server).empty());
  }
  SECTION("a wrong URI") {
    file["uri"] = "skill://team/pdf/%zz";
    CHECK(whyLeftOut(server).starts_with("the URI of a file is wrong"));
  }
  SECTION("no digest") {
    file.erase("digest");
    CHECK(whyLeftOut(server) == "the server gives no SHA-256 digest of SKILL.md");
  }
  SECTION("another digest") {
    file["digest"] = "sha256:" + std::string(64, 'G');
    CHECK(whyLeftOut(server) == "the server gives no SHA-256 digest of SKILL.md");
  }
  SECTION("no SKILL.md") {
    file["uri"] = "skill://team/pdf/a.md";
    CHECK(whyLeftOut(server) == "it has no SKILL.md");
  }
  SECTION("another form of URI") {
    skill["uri"] = "skill://team/pdf";
    CHECK(whyLeftOut(server) == "its URI does not end with /SKILL.md");
  }
  SECTION("two skills of one name") {
    server.skills.push_back(skill);
    server.skills[1]["uri"] = "skill://other/pdf/SKILL.md";
    server.skills[1]["resources"] = Json::array(
        {{{"uri", "skill://other/pdf/SKILL.md"}, {"digest", file["digest"]}, {"size", 1}}});
    const Offer offer = sourceOf(server)->offer();
    CHECK(offer.skills.size() == 1);
    CHECK(offer.leftOut.front().why == "another skill has the same name");
  }
}

TEST_CASE("a server that still loads, lacks a source, or has no skills causes no removal") {
  MadeServer server;
  CHECK(sourceOf(server)->offer().whyIncomplete == "there are no skills");
  server.add("pdf", {{"SKILL.md", skillText("pdf")}});
  server.meta = {{"org.skillhost/loading", {{"loading", true}}}};
  CHECK(sourceOf(server)->offer().whyIncomplete == "the server is still loading its skills");
  server.meta = {{"org.skillhost/failures", {{{"source", "team"}, {"retryable", true}}}}};
  CHECK(sourceOf(server)->offer().whyIncomplete == "a source of the server failed: team");
  server.meta = {{"org.skillhost/failures", {7}}};
  CHECK(sourceOf(server)->offer().whyIncomplete == "a source of the server failed");
  server.meta = {{"org.skillhost/failures", Json::array()}};
  CHECK(sourceOf(server)->offer().whyIncomplete.empty());
}

TEST_CASE("a skill that the server cannot read now is kept, and others are removed") {
  MadeServer server;
  for (const char *name : {"csv", "gone", "pdf"}) server.add(name, {{"SKILL.md", skillText(name)}});
  const auto source = sourceOf(server);
  const MadeFolder folder;
  syncFolder(folder.path, *source, source->offer(), Effect::Apply);
  const Json csv = server.skills[0];
  server.skills = Json::array({csv});
  server.meta = {{"org.skillhost/failures", {{{"skill", "pdf"}, {"retryable", true}}}}};
  Offer offer = source->offer();
  CHECK(offer.whyIncomplete.empty());
  REQUIRE(offer.leftOut.size() == 1);
  CHECK(offer.leftOut.front().name == "pdf");
  CHECK(actionsIn(syncFolder(folder.path, *source, offer, Effect::Apply)) ==
        std::map<std::string, Action>{
            {"csv", Action::None}, {"gone", Action::Remove}, {"pdf", Action::KeptUnoffered}});
  // A folder may have another name than its skill.
  server.meta["org.skillhost/failures"][0]["skill"] = "My PDF";
  CHECK(!source->offer().whyIncomplete.empty());
}

TEST_CASE("a skill that the server leaves out is kept by its URI, with the reason") {
  MadeServer server;
  for (const char *name : {"csv", "gone", "pdf"}) server.add(name, {{"SKILL.md", skillText(name)}});
  const auto source = sourceOf(server);
  const MadeFolder folder;
  syncFolder(folder.path, *source, source->offer(), Effect::Apply);
  const std::string uri = server.skills[2]["uri"];
  server.skills = Json::array({server.skills[0]});
  const Json failure{{"skill", "My PDF"},
                     {"uri", uri.substr(0, uri.rfind('/'))},
                     {"reason", "withheld"},
                     {"retryable", false}};
  server.meta["org.skillhost/failures"] = Json::array({failure, failure}); // of two pages
  Offer offer = source->offer();
  CHECK(offer.whyIncomplete.empty());
  REQUIRE(offer.leftOut.size() == 1);
  CHECK(offer.leftOut.front().why == "the server leaves it out (withheld)");
  CHECK(actionsIn(syncFolder(folder.path, *source, offer, Effect::Apply)) ==
        std::map<std::string, Action>{
            {"csv", Action::None}, {"gone", Action::Remove}, {"pdf", Action::KeptUnoffered}});
  server.meta["org.skillhost/failures"].push_back({{"more_skills", 3}});
  CHECK(source->offer().whyIncomplete == "the server leaves out more skills than it names");
}

TEST_CASE("a server names the folder of a skill, and a source with more skills than it names") {
  MadeServer server;
  for (const char *name : {"csv", "pdf"}) server.add(name, {{"SKILL.md", skillText(name)}});
  server.skills[1]["_meta"]["org.skillhost/folder"] = "skill://team/My%20PDF";
  const auto source = sourceOf(server);
  const MadeFolder folder;
  syncFolder(folder.path, *source, source->offer(), Effect::Apply);
  CHECK(SyncManifest::read(folder.path)->skills.at("pdf").uri == "skill://team/My%20PDF");
  server.skills.erase(1);
  const auto actionWith = [&](Json failure) {
    server.meta["org.skillhost/failures"] = Json::array({std::move(failure)});
    return actionsIn(syncFolder(folder.path, *source, source->offer(), Effect::OnlyPlan)).at("pdf");
  };
  CHECK(actionWith({{"skill", "x"}, {"uri", "skill://team/My%20PDF"}, {"reason", "yaml"}}) ==
        Action::KeptUnoffered);
  CHECK(actionWith({{"skill", "x"}, {"uri", "skill://team"}, {"reason", "yaml"}}) ==
        Action::Remove);
  CHECK(actionWith({{"uri", "skill://team/"}, {"more_skills", 2}}) == Action::KeptUnoffered);
  CHECK(actionWith({{"uri", "skill://other/"}, {"more_skills", 2}}) == Action::Remove);
  // A URI that is no text may mean any skill.
  CHECK(actionWith({{"skill", "x"}, {"uri", 1}, {"reason", "yaml"}}) == Action::KeptUnoffered);
  server.meta["org.skillhost/failures"] = Json::object();
  CHECK(!source->offer().whyIncomplete.empty());
  server.meta = {{"org.skillhost/loading", true}};
  CHECK(!source->offer().whyIncomplete.empty());
}

TEST_CASE("a server that names very many failures takes linear time, and its words are cut") {
  MadeServer server;
  server.add("csv", {{"SKILL.md", skillText("csv")}});
  Json failures = Json::array();
  for (int i = 0; i < 200'000; ++i)
    failures.push_back(
        {{"skill", "x"}, {"uri", "skill://a/" + std::to_string(i)}, {"reason", "y"}});
  failures[0]["reason"] = std::string(100'000, 'y');
  server.meta["org.skillhost/failures"] = std::move(failures);
  const Offer offer = sourceOf(server)->offer(); // quadratic time would be minutes
  CHECK(offer.leftOut.size() == 200'000);
  CHECK(offer.leftOut.front().why.size() < 300);
}

TEST_CASE("failures on later pages count") {
  MadeServer server;
  server.add("csv", {{"SKILL.md", skillText("csv")}});
  server.add("pdf", {{"SKILL.md", skillText("pdf")}});
  server.meta = {{"org.skillhost/failures", {{{"source", "team"}}}}};
  server.pageSize = 1;
  CHECK(sourceOf(server)->offer().whyIncomplete == "a source of the server failed: team");
}

TEST_CASE("a damaged entry of the list removes no skill") {
  MadeServer server;
  server.add("csv", {{"SKILL.md", skillText("csv")}});
  server.add("pdf", {{"SKILL.md", skillText("pdf")}});
  const auto source = sourceOf(server);
  const MadeFolder folder;
  syncFolder(folder.path, *source, source->offer(), Effect::Apply);
  Json &skill = server.skills[1];
  SECTION("no URI") { skill.erase("uri"); }
  SECTION("no front matter") { skill.erase("frontmatter"); }
  SECTION("an empty name") { skill["frontmatter"]["name"] = ""; }
  SECTION("a name that is no text") { skill["frontmatter"]["name"] = 1; }
  SECTION("no object") { skill = "pdf"; }
  const Offer offer = source->offer();
  CHECK(!offer.whyIncomplete.empty());
  CHECK(offer.leftOut.size() == 1);
  CHECK(actionsIn(syncFolder(folder.path, *source, offer, Effect::Apply)).at("pdf") ==
        Action::KeptUnoffered);
  CHECK(folder.has("pdf/SKILL.md"));
}

TEST_CASE("files that a server does not send, or changes, are not written") {
  MadeServer server;
  server.add("pdf", {{"SKILL.md", skillText("pdf")}, {"a.md", "a"}});
  const auto source = sourceOf(server);
  const Offer offer = source->offer();
  const MadeFolder folder;
  SECTION("another content") { server.contents["skill://team/pdf/a.md"] = {{"text", "b"}}; }
  SECTION("refused") { server.contents.erase("skill://team/pdf/a.md"); }
  SECTION("no content") { server.contents["skill://team/pdf/a.md"] = {{"uri", "x"}}; }
  SECTION("wrong base64") { server.contents["skill://team/pdf/a.md"] = {{"blob", "%"}}; }
  CHECK(failuresIn(syncFolder(folder.path, *source, offer, Effect::Apply)).starts_with("pdf: "));
  CHECK(folder.names().empty());
}
