// SPDX-License-Identifier: Apache-2.0
#include "base64.hpp"
#include "catch2.hpp"
#include "skill_texts.hpp"
#include "tool.hpp"

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
    skill->byTools = true;
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

TEST_CASE("an unknown name is answered with the names it may have meant") {
  const auto skills = catalogue({"pdf-forms", "csv-tools", "review"});
  CHECK(similarNames(*skills, "reveiw") == std::vector<std::string>{"review"});
  CHECK(similarNames(*skills, "pdf") == std::vector<std::string>{"pdf-forms"});
  CHECK(similarNames(*skills, "something-else-entirely").empty());
  CHECK(unknownSkill(*skills, "reveiw").message.find("\"review\"") != std::string::npos);
}

TEST_CASE("the short catalogue keeps its size and says how many it leaves out") {
  std::vector<std::string> names;
  for (int i = 0; i < 200; ++i) names.push_back("skill-" + std::to_string(i));
  const std::string text = shortCatalogue(*catalogue(names), 1000);
  CHECK(text.size() <= 1000);
  CHECK(text.find("more: call list_skills") != std::string::npos);
  const std::string all = shortCatalogue(*catalogue({"a"}), 1000);
  CHECK(all == "\n- a: What a does, at length.");
}

TEST_CASE("media types go by the ending, in any case") {
  CHECK(mimeType("a/b.MD") == "text/markdown");
  CHECK(mimeType("x.yml") == "application/yaml");
  CHECK(mimeType("x.unknown") == "application/octet-stream");
  CHECK(mimeType("LICENCE") == "text/plain");
}

TEST_CASE("arguments are read by type and range, and the first fault is told") {
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
  CHECK(good.failure().message.find("arguments.wrong") != std::string::npos);
  const Json huge = Json::parse(R"({"n":18446744073709551615})");
  Arguments range(huge, {"n"});
  range.integer("n", 1, 1, 10);
  CHECK(range.failure().message.find("range 1 to 10") != std::string::npos);
  const Arguments extra(given, {"n"});
  CHECK(extra.failure().message.find("unknown") != std::string::npos);
  const Json none = Json::object();
  Arguments missing(none, {"s"});
  missing.text("s");
  CHECK(missing.failure().fault == Fault::MissingRequiredField);
}

TEST_CASE("every tool's schemas are JSON, and its name may be a tool's name") {
  for (const Tool *tool : allTools()) {
    INFO(tool->name);
    CHECK(Json::accept(tool->inputSchema));
    CHECK(Json::accept(tool->dataSchema));
    CHECK(findTool(tool->name) == tool);
    CHECK(tool->description.size() < 1024);
  }
}
