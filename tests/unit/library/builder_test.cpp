// SPDX-License-Identifier: Apache-2.0
// Tests which skill has a name while skills appear, vanish and return.
#include "catch2.hpp"
#include "skills/builder.hpp"

#include <stdexcept>
#include <utility>

using namespace skillhost;

namespace {

struct Named {
  std::string path, name, toolName;
};

SourceResult source(const std::string &name, const std::vector<Named> &skills) {
  auto made = std::make_shared<SourceSkills>();
  made->source = name;
  for (const auto &[path, written, toolName] : skills) {
    auto skill = std::make_shared<Skill>();
    skill->id = name + "/" + path;
    skill->source = name;
    skill->path = path;
    skill->uri = "skill://" + skill->id;
    skill->fields.name = written;
    skill->fields.toolName = toolName;
    made->skills[path] = std::move(skill);
  }
  return {name, std::move(made), {}};
}

std::string holder(const Catalogue &catalogue, std::string_view name) {
  const CatalogueEntry *const entry = catalogue.byName(name);
  return entry == nullptr ? "nobody" : entry->skill->id;
}

const Named pdf{"pdf", "pdf", "pdf"};

} // namespace

TEST_CASE("a skill that was away for a moment has its name again") {
  GoneNames gone;
  const auto both = std::vector{source("own", {pdf}), source("far", {pdf})};
  const auto first = buildCatalogue(1, both, nullptr, &gone);
  CHECK(holder(*first, "pdf") == "own/pdf");
  const auto without =
      buildCatalogue(2, {source("own", {}), source("far", {pdf})}, first.get(), &gone);
  CHECK(holder(*without, "pdf") == "far/pdf");
  const auto again = buildCatalogue(3, both, without.get(), &gone);
  CHECK(holder(*again, "pdf") == "own/pdf");
  const auto renamed = buildCatalogue(
      4, {source("own", {{"pdf", "pfd", "pfd"}}), source("far", {pdf})}, again.get(), &gone);
  CHECK(holder(*renamed, "pdf") == "far/pdf");
  const auto corrected = buildCatalogue(5, both, renamed.get(), &gone);
  CHECK(holder(*corrected, "pdf") == "own/pdf");
}

TEST_CASE("a newcomer takes no name, also when it goes and comes back") {
  GoneNames gone;
  const auto first = buildCatalogue(1, {source("own", {}), source("far", {pdf})}, nullptr, &gone);
  const auto both = std::vector{source("own", {pdf}), source("far", {pdf})};
  const auto second = buildCatalogue(2, both, first.get(), &gone);
  CHECK(holder(*second, "pdf") == "far/pdf");
  const auto third =
      buildCatalogue(3, {source("own", {}), source("far", {pdf})}, second.get(), &gone);
  const auto fourth = buildCatalogue(4, both, third.get(), &gone);
  CHECK(holder(*fourth, "pdf") == "far/pdf");
}

TEST_CASE("another spelling of a name is the name of who has it") {
  const auto catalogue = buildCatalogue(
      1, {source("own", {pdf}), source("far", {{"shout", "PDF", "pdf"},
                                               {"path", "own/gone", "own-gone"},
                                               {"one", "Azure CLI", "azure-cli"},
                                               {"other", "azure-cli", "azure-cli"}})});
  for (const char *name : {"pdf", "Pdf", "PDF", " pdf "})
    CHECK(holder(*catalogue, name) == "own/pdf");
  CHECK(holder(*catalogue, "own/gone") == "nobody");
  // Neither folder has the name, so the skill whose own name it is comes first.
  CHECK(holder(*catalogue, "azure-cli") == "far/other");
  CHECK(holder(*catalogue, "far/shout") == "far/shout");
}

TEST_CASE("within a source the folder that has the name wins, then the one in fewer folders") {
  const Named deep{"aaa/pdf", "pdf", "pdf"}, other{"aaa", "pdf", "pdf"};
  CHECK(holder(*buildCatalogue(1, {source("own", {other, pdf})}), "pdf") == "own/pdf");
  CHECK(holder(*buildCatalogue(1, {source("own", {deep, pdf})}), "pdf") == "own/pdf");
  const Named written{"azure-cli", "Azure CLI", "azure-cli"},
      taker{"aaa", "azure-cli", "azure-cli"};
  CHECK(holder(*buildCatalogue(1, {source("own", {taker, written})}), "azure-cli") ==
        "own/azure-cli");
}

TEST_CASE("what is built, copied or only tried takes no name from the skill itself") {
  const auto made = buildCatalogue(1, {source("own", {{"dist/pdf", "pdf", "pdf"},
                                                      {"skills/pdf", "pdf", "pdf"},
                                                      {"skills/x/tests/fixtures/a", "a", "a"},
                                                      {"skills/y/a-real", "a", "a"},
                                                      {"skills/build", "build", "build"}})});
  CHECK(holder(*made, "pdf") == "own/skills/pdf");
  CHECK(holder(*made, "a") == "own/skills/y/a-real");
  CHECK(holder(*made, "build") == "own/skills/build");
  std::string told;
  for (const Finding &finding : made->findings())
    if (finding.code == "side-folder") told += finding.message + "; " + finding.advice + '\n';
  CHECK(told == "2 skills of own lie in folders of copies, templates or tests (dist, tests), and "
                "are served like any other; leave them out by exclude_skills: "
                "[\"own/**/dist/**\", \"own/**/tests/**\"]\n");
}

TEST_CASE("who keeps the start going takes no name") {
  GoneNames gone;
  const SourceResult slow{"slow", nullptr, {}, false};
  std::vector<SourceResult> former;
  const auto built = [&](std::uint64_t generation, std::vector<SourceResult> sources,
                         const Catalogue *before) {
    markFirst(sources, former);
    former = sources;
    return buildCatalogue(generation, sources, before, &gone);
  };
  const auto served = built(1, {source("own", {}), source("far", {pdf}), slow}, nullptr);
  // A source that has answered lists another skill while the slow one is still awaited.
  const auto then = built(2, {source("own", {pdf}), source("far", {pdf}), slow}, served.get());
  CHECK(holder(*then, "pdf") == "far/pdf");
  // A late answer still belongs to the start: the speed of the sources decides nothing.
  former.clear();
  const auto begun =
      built(1, {SourceResult{"own", nullptr, {}, false}, source("far", {pdf})}, nullptr);
  CHECK(holder(*begun, "pdf") == "far/pdf");
  const auto late = built(2, {source("own", {pdf}), source("far", {pdf})}, begun.get());
  CHECK(holder(*late, "pdf") == "own/pdf");
}

TEST_CASE("a skill that is not served because of a fault is named, unless a filter refuses it") {
  const auto skills = std::make_shared<SourceSkills>();
  skills->skipped["team/My PDF"] = {{Severity::Warning, "odd", "/x/SKILL.md"},
                                    {Severity::Error, "yaml", "/x/SKILL.md"}};
  skills->skipped["secret"] = {
      {Severity::Error, "waits", "own/secret", 0, 0, "it waits", "", "review"}};
  const auto catalogue = buildCatalogue(1, {{"own", skills, {}}});
  REQUIRE(catalogue->leftOut().size() == 1);
  const Skill &skill = *catalogue->leftOut().front();
  CHECK(skill.id == "own/team/My PDF");
  CHECK(skill.source == "own");
  CHECK(skill.fields.name == "My PDF");
  CHECK(skill.fields.isCategoryUnsure);
  CHECK(skill.findings.size() == 2);
  CHECK(catalogue->entries().empty());
}

TEST_CASE("a skill that may be served under its own name alone is named if another has it") {
  const auto both = std::vector{source("own", {pdf}), source("far", {pdf})};
  for (const SourceResult &one : both)
    std::const_pointer_cast<Skill>(one.skills->skills.at("pdf"))->fields.mustKeepName = true;
  const auto first = buildCatalogue(1, both);
  REQUIRE(first->leftOut().size() == 1);
  CHECK(first->leftOut().front()->id == "far/pdf");
  CHECK(buildCatalogue(1, both, nullptr, nullptr, NameRule::Strict)->leftOut().size() == 2);
}

TEST_CASE("by the strict rule a name that several claim is nobody's") {
  const auto strict = [](const std::vector<SourceResult> &sources) {
    return buildCatalogue(1, sources, nullptr, nullptr, NameRule::Strict);
  };
  const auto both = strict(
      {source("own", {pdf, {"csv", "csv", "csv"}}), source("far", {pdf, {"x", "PDF", "pdf"}})});
  for (const char *name : {"pdf", "PDF", "Pdf"}) CHECK(holder(*both, name) == "nobody");
  CHECK(holder(*both, "csv") == "own/csv");
  CHECK(holder(*both, "own/pdf") == "own/pdf");
  CHECK(holder(*both, "far/pdf") == "far/pdf");
  REQUIRE(both->findings().size() == 2);
  CHECK(both->findings()[0].code == nameTakenCode);
  CHECK(both->findings()[0].message.find("own/pdf") != std::string::npos);
  CHECK(holder(*strict({source("own", {pdf}), source("far", {})}), "pdf") == "own/pdf");
  // This holds for the written form of the name, too.
  const auto written = strict({source("own", {{"a", "Azure CLI", "azure-cli"}}),
                               source("far", {{"b", "azure cli", "azure-cli-2"}})});
  CHECK(holder(*written, "azure cli") == "nobody");
  CHECK(holder(*written, "azure-cli") == "own/a");
}

TEST_CASE("a skill that may be served under its own name alone is left out without it") {
  const auto alone = [](SourceResult made) {
    auto skills = std::make_shared<SourceSkills>(*made.skills);
    for (auto &[path, skill] : skills->skills) {
      auto changed = std::make_shared<Skill>();
      changed->id = skill->id;
      changed->source = skill->source;
      changed->path = skill->path;
      changed->uri = skill->uri;
      changed->fields = skill->fields;
      changed->fields.mustKeepName = true;
      skill = std::move(changed);
    }
    made.skills = std::move(skills);
    return made;
  };
  const auto both = std::vector{alone(source("own", {pdf, {"x", "pdf", "pdf"}})),
                                alone(source("far", {pdf, {"shout", "PDF", "PDF"}}))};
  GoneNames gone;
  const auto made = buildCatalogue(1, both, nullptr, &gone);
  REQUIRE(made->entries().size() == 2);
  CHECK(holder(*made, "pdf") == "own/pdf");
  CHECK(holder(*made, "PDF") == "far/shout"); // another name
  CHECK(holder(*made, "far/pdf") == "nobody");
  CHECK((made->sources()[0].skills == 1 && made->sources()[1].skills == 1));
  REQUIRE(made->findings().size() == 2);
  for (const Finding &finding : made->findings()) {
    CHECK(finding.severity == Severity::Error);
    CHECK(finding.code == nameTakenCode);
    CHECK(finding.message == "the name \"pdf\" is claimed by own/pdf (own/pdf) too, and "
                             "skill_rules: basic serves one skill of a name at most");
  }
  // Its name is free when the other skill has gone, and returns to that skill when it is back.
  const auto without = std::vector{alone(source("own", {})), both[1]};
  const auto then = buildCatalogue(2, without, made.get(), &gone);
  CHECK(holder(*then, "pdf") == "far/pdf");
  CHECK(holder(*buildCatalogue(3, both, then.get(), &gone), "pdf") == "own/pdf");
  // Under the rule of strict names neither has the name.
  const auto strict = buildCatalogue(1, both, nullptr, nullptr, NameRule::Strict);
  REQUIRE(strict->entries().size() == 1);
  CHECK(strict->findings().size() == 3);
}

TEST_CASE("an index of entries finds each text it was given, and no other") {
  constexpr std::size_t count = 5'000;
  const std::vector<CatalogueEntry> entries(count);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) texts.push_back("text " + std::to_string(i));
  EntryIndex index(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto [item, isNew] = index.emplace(texts[i], &entries[i]);
    CHECK((isNew && item == i));
  }
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; ++i) found += index.find(texts[i]) == &entries[i] ? 1 : 0;
  CHECK(found == count);
  CHECK(index.find("text 5000") == nullptr);
  CHECK(index.find("") == nullptr);
  const auto [again, isNew] = index.emplace(texts[7], &entries[8]);
  CHECK_FALSE(isNew);
  CHECK(index[again].entry == &entries[7]); // the first one with that text
  CHECK_THROWS_AS(index.emplace("one more", &entries[0]), std::length_error);
  CHECK(EntryIndex().find("anything") == nullptr);
}
