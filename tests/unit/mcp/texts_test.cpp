// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/base64.hpp"
#include "mcp/own_tools.hpp"
#include "mcp/tool.hpp"
#include "skill_texts.hpp"
#include "skill_tools.hpp"

#include <nlohmann/json.hpp>

#include <string>

using namespace skillhost;

namespace {
std::shared_ptr<const Catalogue> catalogue(const std::vector<std::string> &names) {
  std::vector<CatalogueEntry> entries;
  for (const std::string &name : names) {
    auto skill = std::make_shared<Skill>();
    skill->id = "s/" + name;
    skill->source = "s";
    skill->path = name;
    skill->uri = "skill://s/" + name;
    skill->fields.name = name;
    skill->fields.description = "What " + name + " does,\nat length.";
    skill->fields.toolName = skill->fields.name;
    entries.push_back({skill, name, true});
  }
  return std::make_shared<const Catalogue>(1, std::move(entries), std::vector<SourceStatus>{},
                                           std::vector<Finding>{});
}
} // namespace

TEST_CASE("bytes are written as RFC 4648 writes them") {
  CHECK(encodeBase64("") == "");
  CHECK(encodeBase64("f") == "Zg==");
  CHECK(encodeBase64("fo") == "Zm8=");
  CHECK(encodeBase64("foo") == "Zm9v");
  CHECK(encodeBase64(std::string("\xff\x00\xfe", 3)) == "/wD+");
}

TEST_CASE("every skill has a tool's name, which finds it and nobody else") {
  const std::string deep(200, 'd'), fits(46, 'f'), tooLong(47, 'f');
  const auto bare = catalogue({"pdf", "a/pdf", "a b/pdf", "a_b/pdf", "v1.2/pdf", "v1/2/pdf", deep,
                               deep + "/a", deep + "/b", fits, tooLong, "\xE5\x88\x86/pdf"});
  std::vector<CatalogueEntry> entries = bare->entries();
  for (CatalogueEntry &entry : entries)
    if (&entry != &entries.front()) entry.name = entry.skill->id;
  const Catalogue skills(1, std::move(entries), {}, {});
  CHECK(skillToolName(skills.entries()[0]) == "pdf");
  CHECK(skillToolName(skills.entries()[1]) == "s.a.pdf");
  CHECK(skillToolName(skills.entries()[2]).starts_with("s.a_b.pdf."));
  CHECK(skillToolName(skills.entries()[3]) == "s.a_b.pdf");
  for (const CatalogueEntry &entry : skills.entries()) {
    const std::string name = skillToolName(entry);
    INFO(name);
    CHECK(("mcp__skillhost__" + name).size() <= 64);
    CHECK(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.-") == std::string::npos);
    CHECK(findSkillTool(skills, name) == &entry);
  }
  CHECK(skillToolName(skills.entries()[9]) == "s." + fits);
  CHECK(skillToolName(skills.entries()[10]).starts_with("s." + std::string(33, 'f') + '.'));
  CHECK(findSkillTool(skills, "s.a.other") == nullptr);
  CHECK(findSkillTool(skills, "s/a/pdf") == nullptr);
}

TEST_CASE("an unknown name is answered with the names it may have meant") {
  const auto skills = catalogue({"pdf-forms", "csv-tools", "review"});
  CHECK(similarNames(*skills, "reveiw") == std::vector<std::string>{"review"});
  CHECK(similarNames(*skills, "pdf") == std::vector<std::string>{"pdf-forms"});
  CHECK(similarNames(*skills, "something-else-entirely").empty());
  CHECK(unknownSkill(*skills, "reveiw").message.find("\"review\"") != std::string::npos);
}

TEST_CASE("media types go by the ending, in any case") {
  CHECK(mimeType("a/b.MD") == "text/markdown");
  CHECK(mimeType("x.yml") == "application/yaml");
  CHECK(mimeType("x.unknown") == "application/octet-stream");
  CHECK(mimeType("LICENCE") == "text/plain");
}

TEST_CASE("arguments are read by type and range, and every fault is told") {
  const auto message = [](const Arguments &read) {
    return read.failure().refusal().failure.message;
  };
  const Json given{{"n", 7}, {"s", "x"}, {"b", true}, {"wrong", 1.5}};
  Arguments good(given, {"n", "s", "b", "wrong"});
  CHECK(good.integer("n", 1, 1, 10) == 7);
  CHECK(good.text("s") == "x");
  CHECK(good.flag("b", false));
  CHECK(good.integer("absent", 3, 1, 10) == 3);
  REQUIRE(good.good());
  good.integer("wrong", 1, 1, 10);
  good.text("n");
  REQUIRE_FALSE(good.good());
  CHECK(message(good).find("arguments.wrong: must be an integer") != std::string::npos);
  CHECK(message(good).find("; arguments.n: must be a string") != std::string::npos);
  const Json huge = Json::parse(R"({"n":18446744073709551615})");
  Arguments range(huge, {"n"});
  range.integer("n", 1, 1, 10);
  CHECK(message(range).find("range 1 to 10") != std::string::npos);
  const Json error = Json::parse(range.failure().refusal().context).at("errors").at(0);
  CHECK((error.at("limit") == 10 &&
         !error.contains("actual"))); // many readers of JSON would round it
  const Arguments extra(given, {"n"});
  CHECK(message(extra).find("unknown") != std::string::npos);
  const Json none = Json::object();
  Arguments missing(none, {"s"});
  missing.text("s");
  CHECK(missing.failure().refusal().failure.fault == Fault::MissingRequiredField);
}

TEST_CASE("every tool's schemas are JSON, and its name may be a tool's name") {
  const OwnTools tools;
  for (const Tool *tool : tools.all()) {
    INFO(tool->name);
    CHECK(Json::accept(tool->inputSchema));
    CHECK(Json::accept(tool->dataSchema));
    CHECK(tools.find(tool->name) == tool);
    CHECK(tool->description.size() < 1024);
  }
}
