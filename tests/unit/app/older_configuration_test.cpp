// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "made_up.hpp"

using namespace made_up;

namespace {

constexpr const char *older = R"({
  "skill_sources": [
    {"type": "github", "url": "https://github.com/anthropics/skills", "comment": "official"},
    {"type": "github", "url": "https://github.com/org/Repo.git", "subpath": "a/b"},
    {"type": "local", "path": "~/.claude/skills"}
  ],
  "embedding_model": "all-MiniLM-L6-v2",
  "default_top_k": 5,
  "max_skill_content_chars": null,
  "comment_max_chars": "Set to an integer to truncate skill content, or null for unlimited",
  "_comment": "mine",
  "load_skill_documents": true,
  "max_image_size_bytes": 5242880,
  "allowed_image_extensions": [".png"],
  "text_file_extensions": [".md"],
  "auto_update_enabled": true,
  "auto_update_interval_minutes": 60,
  "github_api_token": "ghp_secret99"
})";

} // namespace

TEST_CASE("the JSON of older servers is understood as it is") {
  const Machine machine;
  const auto read = machine.read(older);
  REQUIRE(read);
  const Configuration &c = read->configuration;
  REQUIRE(c.sources.size() == 3);
  CHECK(c.sources[0].name == "skills");
  CHECK(c.sources[0].plugin == "github");
  CHECK(c.sources[0].config == Json({{"url", "https://github.com/anthropics/skills"},
                                     {"token", "ghp_secret99"},
                                     {"refresh_minutes", 60}}));
  CHECK(c.sources[1].name == "repo");
  CHECK(c.sources[1].config["subpath"] == "a/b");
  CHECK(c.sources[2].name == "skills-2");
  CHECK(c.sources[2].plugin == "filesystem");
  CHECK(c.sources[2].config ==
        Json({{"directories", {machine.folder + "/home/.claude/skills"}}, {"optional", true}}));
  CHECK(c.defaultTopK == 5);
  CHECK_FALSE(c.maxSkillContentChars);
  CHECK(c.secrets == std::vector<std::string>{"ghp_secret99"});
  CHECK(c.search.plugin == "auto");
  REQUIRE(read->warnings.size() == 1);
  CHECK(contains(read->warnings[0], "7:22: embedding_model: there is no model in " +
                                        machine.folder +
                                        "/home/.local/share/skillhost/models/all-MiniLM-L6-v2"));
  CHECK(contains(read->warnings[0], "run skillhost model fetch"));
}

TEST_CASE("the embedding model of an older configuration is used where it is there") {
  Machine machine;
  const std::string fetched = machine.folder + "/home/.local/share/skillhost/models/";
  machine.write("home/.local/share/skillhost/models/all-MiniLM-L6-v2/config.json", "{}");
  const auto model = [&](const std::string &written, const std::string &more = "") {
    const auto read =
        machine.read(R"({"skill_sources": [], "embedding_model": ")" + written + '"' + more + "}");
    REQUIRE(read);
    CHECK(read->warnings.empty());
    CHECK(read->configuration.search.plugin == (more.empty() ? "hybrid" : "none"));
    return more.empty() ? read->configuration.search.config["model"].get<std::string>() : "";
  };
  CHECK(model("all-MiniLM-L6-v2") == fetched + "all-MiniLM-L6-v2");
  CHECK(model("sentence-transformers/all-MiniLM-L6-v2") == fetched + "all-MiniLM-L6-v2");
  machine.write("models/own/config.json", "{}");
  CHECK(model("./models/own") == machine.folder + "/models/own");
  // The file's own settings of the search win.
  CHECK(model("all-mpnet-base-v2", R"(, "search": {"plugin": "none"})").empty());
  machine.surroundings.variables["XDG_DATA_HOME"] = machine.folder + "/data";
  machine.write("data/skillhost/models/all-mpnet-base-v2/config.json", "{}");
  CHECK(model("all-mpnet-base-v2") == machine.folder + "/data/skillhost/models/all-mpnet-base-v2");
  const auto absent = machine.read(R"({"skill_sources": [], "embedding_model": "bge-small-en"})");
  REQUIRE(absent->warnings.size() == 1);
  CHECK(contains(absent->warnings[0], "put the model there as sentence-transformers writes it"));
}

TEST_CASE("an older configuration without a token, and with updates off") {
  const Machine machine;
  const auto read = machine.read(R"({"skill_sources": [{"type":"local","path":"here"},
    {"type":"github","url":"https://github.com/o/r/"}],
    "auto_update_enabled": false, "github_api_token": null, "default_top_k": 1})");
  REQUIRE(read);
  CHECK(read->warnings.empty());
  const auto &sources = read->configuration.sources;
  CHECK(sources.at(0).config["directories"][0] == machine.folder + "/here");
  CHECK(sources.at(0).config["watch"] == "off");
  CHECK(sources.at(1).config == Json({{"url", "https://github.com/o/r"}, {"refresh_minutes", 0}}));
}

TEST_CASE("the address of a folder as a browser shows it names a branch and a subpath") {
  const Machine machine;
  const auto read = machine.read(R"({"skill_sources": [
    {"type":"github","url":"https://github.com/o/r/tree/main/a/b/"},
    {"type":"github","url":"https://github.com/o/s/tree/v2"},
    {"type":"github","url":"https://github.com/o/t/tree/main/a", "subpath": "c"}]})");
  REQUIRE(read);
  const auto &sources = read->configuration.sources;
  REQUIRE(sources.size() == 3);
  CHECK(sources[0].name == "r");
  CHECK(sources[0].config ==
        Json({{"url", "https://github.com/o/r"}, {"ref", "main"}, {"subpath", "a/b"}}));
  CHECK(sources[1].config == Json({{"url", "https://github.com/o/s"}, {"ref", "v2"}}));
  CHECK(sources[2].config["subpath"] == "c");
}

TEST_CASE("the token of an older configuration is for GitHub alone") {
  const Machine machine;
  const auto read = machine.read(R"({"skill_sources": [
    {"type":"github","url":"https://github.com.example.org/o/r"}], "github_api_token": "ghp_1"})");
  REQUIRE(read);
  CHECK(read->configuration.sources.at(0).config ==
        Json({{"url", "https://github.com.example.org/o/r"}}));
}

TEST_CASE("unknown older keys are warnings, today's keys work beside them") {
  const Machine machine;
  const auto read =
      machine.read("{\"skill_sources\": [],\n \"top_k\": \"x\",\n \"expose\": \"both\"}");
  REQUIRE(read);
  CHECK(read->configuration.expose == Expose::Both);
  REQUIRE(read->warnings.size() == 1);
  CHECK(contains(read->warnings[0], "skillhost.yaml:2:2: unknown key \"top_k\""));
}

TEST_CASE("a malformed older source is a problem at its place") {
  const Machine machine;
  CHECK(machine.problem("{\"skill_sources\": [\n {\"type\": \"ftp\"}]}") ==
        "skillhost.yaml:2:11: skill_sources[0]: the type must be \"github\" or \"local\"");
  CHECK(contains(machine.problem(R"({"skill_sources": [{"type": "local"}]})"),
                 "skill_sources[0]: a path is missing"));
  CHECK(contains(machine.problem(R"({"skill_sources": [{"type": "github", "path": "x"}]})"),
                 "skill_sources[0]: a url is missing"));
  CHECK(contains(machine.problem(R"({"skill_sources": 5})"), "expected a list of sources"));
  CHECK(contains(machine.problem(R"({"skill_sources": [], "default_top_k": 50})"),
                 "default_top_k: expected a whole number from 1 to 20"));
}
