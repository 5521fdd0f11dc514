// SPDX-License-Identifier: Apache-2.0
// Tests adding entries to users' files and removing them again.
#include "catch2.hpp"
#include "file_change.hpp"
#include "made_up.hpp"

#include <nlohmann/json.hpp>

#include <sys/stat.h>

using namespace made_up;
using edit::Format;

namespace {

const Json entry = {{"command", "/usr/bin/skillhost"}, {"args", {"--skills-dir", "/s"}}};

std::string put(Format format, const std::string &text, std::vector<std::string> path,
                const Json &value = entry) {
  const auto made = edit::changed(format, text, {std::move(path), value});
  return made ? *made : "refused: " + made.failure().message;
}
std::string take(Format format, const std::string &text, std::vector<std::string> path) {
  const auto made = edit::changed(format, text, {std::move(path), std::nullopt});
  return made ? *made : "refused: " + made.failure().message;
}

// Adding and removing an entry must restore the text.
void checkRound(Format format, const std::string &text, const std::vector<std::string> &path) {
  INFO(text);
  const std::string with = put(format, text, path);
  INFO(with);
  CHECK(edit::read(format, with));
  CHECK(*edit::find(*edit::read(format, with), path) == entry);
  CHECK(put(format, with, path) == with);
  CHECK(take(format, with, path) == text);
}

} // namespace

TEST_CASE("JSON keeps its comments, its commas and its form") {
  CHECK(put(Format::Json, "", {"servers", "skillhost"}, "x") ==
        "{\n  \"servers\": {\n    \"skillhost\": \"x\"\n  }\n}\n");
  CHECK(put(Format::Json, "{}\n", {"a"}, "x") == "{\n  \"a\": \"x\"\n}\n");
  CHECK(put(Format::Json, R"({"a": 1})", {"b"}, "x") == R"({"a": 1, "b": "x"})");
  const std::string zed = "// Zed settings\n"
                          "{\n"
                          "    \"theme\": \"One Dark\", // mine\n"
                          "    /* servers */\n"
                          "    \"context_servers\": {\n"
                          "        \"other\": {\"command\": \"x\"}, // keep \"this\"\n"
                          "    },\n"
                          "}\n";
  CHECK(put(Format::Json, zed, {"context_servers", "skillhost"}, {{"command", "s"}}) ==
        "// Zed settings\n"
        "{\n"
        "    \"theme\": \"One Dark\", // mine\n"
        "    /* servers */\n"
        "    \"context_servers\": {\n"
        "        \"other\": {\"command\": \"x\"}, // keep \"this\"\n"
        "        \"skillhost\": {\n"
        "            \"command\": \"s\"\n"
        "        },\n"
        "    },\n"
        "}\n");
  CHECK(put(Format::Json, "{\r\n\t\"a\": 1 // one\r\n}\r\n", {"b"}, {{"c", 2}}) ==
        "{\r\n\t\"a\": 1, // one\r\n\t\"b\": {\r\n\t\t\"c\": 2\r\n\t}\r\n}\r\n");
  for (const char *text : {"{\n  \"a\": 1,\n  \"mcpServers\": {\n    \"x\": {}\n  }\n}\n",
                           "{\n  \"mcpServers\": {\n    \"x\": {} // last\n  },\n  \"z\": [1]\n}",
                           "{\n  \"mcpServers\": {\n  }\n}\n"})
    checkRound(Format::Json, text, {"mcpServers", "skillhost"});
  CHECK(take(Format::Json, "{\"a\": 1, \"b\": 2, \"c\": 3}", {"b"}) == "{\"a\": 1,  \"c\": 3}");
  CHECK(take(Format::Json, "{\"a\": 1}", {"b", "c"}) == "{\"a\": 1}");
}

TEST_CASE("a comment behind the comma of what goes may be about the next one") {
  CHECK(take(Format::Json, "{\n  \"a\": 1, // of b\n  \"b\": 2\n}\n", {"a"}) ==
        "{\n  // of b\n  \"b\": 2\n}\n");
  CHECK(take(Format::Json, "{\n  \"a\": 1, /* of\n  b */\n  \"b\": 2\n}\n", {"a"}) ==
        "{\n  /* of\n  b */\n  \"b\": 2\n}\n");
  CHECK(take(Format::Json, "{\n  \"a\": 1,\n  \"b\": 2 // of b\n}\n", {"b"}) ==
        "{\n  \"a\": 1\n}\n");
}

TEST_CASE("lists of JSON are changed as JSON") {
  CHECK(put(Format::Json, "{\"k\": 3}\n", {"s", "-"}, {{"n", "a"}}) ==
        "{\"k\": 3, \"s\": [\n  {\n    \"n\": \"a\"\n  }\n]}\n");
  const std::string two =
      put(Format::Json, "{\"s\": [{\"n\": \"a\"}], \"k\": 3}\n", {"s", "-"}, {{"n", "b"}});
  CHECK(Json::parse(two) == Json::parse(R"({"s": [{"n": "a"}, {"n": "b"}], "k": 3})"));
  CHECK(Json::parse(take(Format::Json, two, {"s", "0"})) ==
        Json::parse(R"({"s": [{"n": "b"}], "k": 3})"));
  CHECK(Json::parse(put(Format::Json, two, {"s", "1", "c", "ref"}, "v2")) ==
        Json::parse(R"({"s": [{"n": "a"}, {"n": "b", "c": {"ref": "v2"}}], "k": 3})"));
  CHECK(
      contains(put(Format::Json, "{\"s\": [ // why\n]}\n", {"s", "-"}, {{"n", "b"}}), "comments"));
}

TEST_CASE("what cannot be changed safely is refused") {
  CHECK(contains(put(Format::Json, "{\"a\": ", {"b"}), "refused"));
  CHECK(contains(put(Format::Json, "[1]", {"b"}), "a JSON object"));
  CHECK(contains(put(Format::Json, "{\"servers\": 7}", {"servers", "x"}), "refused"));
  CHECK(contains(put(Format::Json, "{\n  \"a\": {\n    // why\n    \"b\": 1\n  }\n}", {"a"}),
                 "comments inside"));
  CHECK(contains(put(Format::Toml, "a = ", {"b"}), "refused: 1:"));
  for (const char *text :
       {"[s.x]\ncommand = \"old\" # do not change: IT-1234\n", "[s.x] # mine\na = 1\n",
        "[s.x]\n# tuned by ops\na = 1\n", "[s.x]\na = 'b\\' # c\n", "[s.x]\na = [\n  1, # one\n]\n",
        "[s.x]\na = \"\"\"\n\\\"\"\"\"\" # b\n", "[s.x]\na = 1\n[s.x.env] # secret\nb = 1\n"}) {
    INFO(text);
    CHECK(contains(put(Format::Toml, text, {"s", "x"}), "comments inside \"x\""));
  }
  CHECK(contains(put(Format::Toml, "mcp_servers = {a = {command = \"x\"}}\n", {"mcp_servers", "b"}),
                 "cannot safely change"));
  CHECK(contains(put(Format::Yaml, "a: [1\nb: 2\n", {"c"}), "refused: "));
  CHECK(contains(put(Format::Yaml, "a: &x 1\nb: *x\n", {"c"}), "aliases"));
}

TEST_CASE("TOML keeps everything else") {
  const std::string codex = "# mine\nmodel = \"o\" # best\n\n[mcp_servers.other]\ncommand = "
                            "\"x\"\n\n[mcp_servers.other.env]\nA = \"1\"\n";
  const std::string with = put(Format::Toml, codex, {"mcp_servers", "skillhost"});
  CHECK(with == codex + "\n[mcp_servers.skillhost]\ncommand = \"/usr/bin/skillhost\"\nargs = "
                        "[\"--skills-dir\", \"/s\"]\n");
  CHECK(take(Format::Toml, with, {"mcp_servers", "skillhost"}) == codex);
  CHECK(take(Format::Toml, codex + "\n# the end\n[z]\na = 1\n", {"mcp_servers", "other"}) ==
        "# mine\nmodel = \"o\" # best\n\n\n\n# the end\n[z]\na = 1\n");
  // A # in a string is no comment, and other comments stay.
  CHECK(put(Format::Toml,
            "# a\n[s.x]\na = \"#\" \nb = '#'\nc = \"\"\"\n# \\\n#\"\"\"\n'd#' = 1\n# b\n",
            {"s", "x"}, {{"e", 1}}) == "# a\n# b\n\n[s.x]\ne = 1\n");
  CHECK(take(Format::Toml, "[s.x]\na = 1 # one\n", {"s", "x"}).empty());
  CHECK(contains(put(Format::Toml, with, {"mcp_servers", "skillhost"}, {{"url", "u"}}),
                 "[mcp_servers.skillhost]\nurl = \"u\"\n"));
}

TEST_CASE("numbers and dates of TOML are what they were") {
  const std::string text =
      "'é' = 'ü'\n[s.x]\n'ç' = 10.50\na = 6_0.0e1\nb = inf\nc = 2024-01-01 10:00:00Z\n"
      "d = [1.0, 0xFF]\ne = { \"ä\" = 07:32:00, f = 1_000 }\n";
  const auto read = edit::read(Format::Toml, text);
  REQUIRE(read);
  Json entry = (*read)["s"]["x"];
  entry["new"] = 1;
  const std::string made = put(Format::Toml, text, {"s", "x"}, entry);
  for (const char *kept : {"= 10.50\n", "a = 6_0.0e1\n", "b = inf\n", "c = 2024-01-01 10:00:00Z\n",
                           "d = [1.0, 0xFF]\n", "= 07:32:00", "= 1_000"})
    CHECK(contains(made, kept));
  CHECK_FALSE(contains(made, "toml"));
}

TEST_CASE("YAML keeps everything else") {
  CHECK(put(Format::Yaml, "", {"sources", "-"}, {{"name", "a"}, {"config", {{"url", "x/y"}}}}) ==
        "sources:\n  - name: a\n    config:\n      url: x/y\n");
  const std::string file = "# top\n"
                           "expose: both # why\n"
                           "sources:\n"
                           "  # the first\n"
                           "  - name: one # it\n"
                           "    config: {url: a/b}\n"
                           "    # about one\n"
                           "\n"
                           "# below\n"
                           "log:\n"
                           "  level: INFO\n";
  const std::string with = put(Format::Yaml, file, {"sources", "-"}, {{"name", "two"}});
  CHECK(with == "# top\n"
                "expose: both # why\n"
                "sources:\n"
                "  # the first\n"
                "  - name: one # it\n"
                "    config: {url: a/b}\n"
                "    # about one\n"
                "  - name: two\n"
                "\n"
                "# below\n"
                "log:\n"
                "  level: INFO\n");
  CHECK(take(Format::Yaml, with, {"sources", "1"}) == file);
  CHECK(take(Format::Yaml, file, {"sources", "0"}) == "# top\n"
                                                      "expose: both # why\n"
                                                      "sources: []\n"
                                                      "  # the first\n"
                                                      "\n"
                                                      "# below\n"
                                                      "log:\n"
                                                      "  level: INFO\n");
  // Other spellings of the same content.
  CHECK(put(Format::Yaml, "sources:\n- name: a\nx: 1\n", {"sources", "-"}, {{"name", "b"}}) ==
        "sources:\n- name: a\n- name: b\nx: 1\n");
  CHECK(put(Format::Yaml, "sources: []  # none yet\nx: 1\n", {"sources", "-"}, {{"name", "b"}}) ==
        "sources:  # none yet\n  - name: b\nx: 1\n");
  CHECK(put(Format::Yaml, "sources: [{name: a}]\n", {"sources", "-"}, {{"name", "b"}}) ==
        "sources: [{name: a}, {name: b}]\n");
  CHECK(take(Format::Yaml, "sources: [{name: a}, {name: b}]\n", {"sources", "1"}) ==
        "sources: [{name: a}]\n");
  CHECK(put(Format::Yaml, "{\"sources\": [{\"name\": \"a\"}]}\n", {"sources", "-"},
            {{"name", "b"}}) == "{\"sources\": [{\"name\": \"a\"}, {name: b}]}\n");
  CHECK(put(Format::Yaml, "sources:\n  - name: a\n    config:\n      ref: v1 # pinned\n",
            {"sources", "0", "config", "ref"},
            "v2") == "sources:\n  - name: a\n    config:\n      ref: v2 # pinned\n");
  CHECK(put(Format::Yaml, "a: 1\n# the end\n", {"b"}, 2) == "a: 1\nb: 2\n# the end\n");
  for (const char *text :
       {"GOOSE_MODEL: x\nextensions:\n  dev:\n    enabled: true # yes\n"
        "    args: []\n\n# end\n",
        "extensions: {}\n", "a: 1\nextensions:\n  one:\n    a: |\n      text # no\n"})
    checkRound(Format::Yaml, text, {"extensions", "skillhost"});
}

TEST_CASE("a file is changed whole, with a backup and its mode, or not at all") {
  const Machine machine;
  const std::string path = machine.folder + "/new/folder/mcp.json";
  auto done = edit::changeFile({path, Format::Json, {{"a"}, "x"}, FileReaders::Owner});
  REQUIRE(done);
  CHECK(done->backup.empty());
  struct stat status{};
  REQUIRE(stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0600);
  REQUIRE(chmod(path.c_str(), 0640) == 0);
  const std::string before = *edit::textOf(path);
  done = edit::changeFile({path, Format::Json, {{"b"}, "y"}, FileReaders::Everybody});
  REQUIRE(done);
  CHECK(*edit::textOf(done->backup) == before);
  REQUIRE(stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0640);
  done = edit::changeFile({path, Format::Json, {{"b"}, "y"}, FileReaders::Everybody});
  REQUIRE(done);
  CHECK(!done->changed);

  const std::string broken = machine.write("broken.json", "{\"a\": 1,, }");
  done = edit::changeFile({broken, Format::Json, {{"b"}, "y"}, FileReaders::Everybody});
  REQUIRE(!done);
  CHECK(contains(done.failure().message, broken));
  CHECK(*edit::textOf(broken) == "{\"a\": 1,, }");
  CHECK(!std::filesystem::exists(broken + ".skillhost-backup"));
}
