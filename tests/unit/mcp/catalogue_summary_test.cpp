// SPDX-License-Identifier: Apache-2.0
#include "catalogue_summary.hpp"
#include "catch2.hpp"
#include "skill_tools.hpp"

#include <string>
#include <vector>

using namespace skillhost;

namespace {

struct Made {
  std::string name, description, source = "team";
};

Catalogue catalogueOf(const std::vector<Made> &all) {
  std::vector<CatalogueEntry> entries;
  for (const Made &one : all) {
    auto skill = std::make_shared<Skill>();
    skill->id = one.source + "/" + one.name;
    skill->source = one.source;
    skill->fields.name = one.name;
    skill->fields.description = one.description;
    skill->fields.toolName = skill->fields.name;
    entries.push_back({skill, one.name, true});
  }
  return {1, std::move(entries), std::vector<SourceStatus>{}, std::vector<Finding>{}};
}

std::vector<Made> many(std::size_t count, const std::string &description) {
  std::vector<Made> all;
  for (std::size_t i = 0; i < count; ++i)
    all.push_back({"skill-" + std::to_string(i), description, "source-" + std::to_string(i % 7)});
  return all;
}

bool has(const std::string &text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a sentence ends where the next one begins, not within it") {
  CHECK(firstSentence("Reads PDF. Use it often.", 100) == "Reads PDF.");
  CHECK(firstSentence("Reads files, e.g. PDF, i.e. version 1.7. Then more.", 100) ==
        "Reads files, e.g. PDF, i.e. version 1.7.");
  CHECK(firstSentence("Is it old? yes, very. And so on.", 100) == "Is it old? yes, very.");
  CHECK(firstSentence("One\n  line\tonly", 100) == "One line only");
  CHECK(firstSentence("处理文件。然后更多。", 100) == "处理文件。");
  CHECK(firstSentence("", 100).empty());
  CHECK(firstSentence("Uses .NET 8. Always.", 100) == "Uses .NET 8.");
}

TEST_CASE("every kind of line end becomes one blank") {
  CHECK(oneLine(" One\r\n\t two\u2028three\u2029\u0085 four\v\ffive ") ==
        "One two three four five");
  CHECK(oneLine("a\u00a0b \u2026 \xc2") ==
        "a\u00a0b \u2026 \xc2"); // other characters of these bytes
  CHECK(oneLine("\u2028").empty());
  CHECK(oneLine("one two three", 4) == "one two");
}

TEST_CASE("a long sentence is cut between words, and never within a character") {
  CHECK(firstSentence("one two three four five", 15) == "one two…");
  CHECK(firstSentence("one two three four five", 16) == "one two three…");
  for (std::size_t bytes = 0; bytes < 12; ++bytes) {
    const std::string cut = firstSentence("ééééééé", bytes);
    CHECK(cut.size() <= bytes);
    CHECK((cut.empty() || cut.ends_with("…")));
  }
}

TEST_CASE("what stands behind the room for a sentence changes nothing") {
  for (const std::string_view text :
       {"One  two\nthree. Four five, e.g. six! Seven? eight. Nine", "Ein 。zwei。 Drei.X .NET. Yes",
        "A word-that-is-longer-than-all-the-room-there-is and. Another", "...", ". . . ",
        "vs. A vs"}) {
    const std::string sentence = firstSentence(text, 1000);
    for (std::size_t bytes = 0; bytes < 70; ++bytes) {
      CAPTURE(text, bytes);
      CHECK(firstSentence(text, bytes) == cutBetweenWords(sentence, bytes));
    }
  }
}

TEST_CASE("whole descriptions where there is room") {
  const Catalogue all = catalogueOf({{"a", "What a does,\nat length. And more."}, {"b", "B."}});
  CHECK(shortCatalogue(all, 1000) == "\n- a: What a does, at length. And more.\n- b: B.");
  CHECK(shortCatalogue(catalogueOf({}), 1000).empty());
}

TEST_CASE("one long description does not keep the others out") {
  std::vector<Made> all = many(17, "Does one thing well. Use it whenever that thing comes up.");
  all.insert(all.begin() + 3,
             {"long-winded", std::string("Begins well. ") + std::string(900, 'X')});
  const std::string text = shortCatalogue(catalogueOf(all), 1500);
  CHECK(text.size() <= 1500);
  for (const Made &one : all) CHECK(has(text, "\n- " + one.name + ": "));
  CHECK(has(text, "- long-winded: Begins well.\n"));
  CHECK(has(text, "- skill-16: Does one thing well."));
}

TEST_CASE("then names, then as many names as there is room for") {
  const std::string hundred(100, 'x');
  const std::string names = shortCatalogue(catalogueOf(many(100, hundred)), 1500);
  CHECK(names.size() <= 1500);
  CHECK(has(names, "skill-0, skill-1, "));
  CHECK(has(names, ", skill-99"));
  CHECK_FALSE(has(names, "x"));
  const std::string some = shortCatalogue(catalogueOf(many(maxNamedSkills, hundred)), 1500);
  CHECK(some.size() <= 1500);
  CHECK(some.size() > 1300);
  CHECK(has(some, " more: call find_helpful_skills"));
}

TEST_CASE("of very many skills their sources, with counts, and to search first") {
  const std::string text = shortCatalogue(catalogueOf(many(3000, "x")), 1500);
  CHECK(text == " 3000 from these sources: source-0 (429), source-1 (429), source-2 (429), "
                "source-3 (429), source-4 (428), source-5 (428), source-6 (428). Search first: "
                "call find_helpful_skills with the task.");
  std::vector<Made> scattered = many(maxNamedSkills + 1, "x");
  for (std::size_t i = 0; i < scattered.size(); ++i)
    scattered[i].source = "a-source-of-its-own-" + std::to_string(i);
  const std::string cut = shortCatalogue(catalogueOf(scattered), 1500);
  CHECK(cut.size() <= 1500);
  CHECK(has(cut, " more sources. Search first"));
}

TEST_CASE("the size is kept for every size") {
  for (const std::size_t count : {1, 5, 18, 60, 150, 301})
    for (const std::string &description :
         {std::string("Short."), std::string(300, 'y'),
          std::string("Words and words. ") + std::string(200, ' ') + "Ends."})
      for (std::size_t bytes = 300; bytes <= 1900; bytes += 100)
        CHECK(shortCatalogue(catalogueOf(many(count, description)), bytes).size() <= bytes);
}

TEST_CASE("skills are tools of their own up to a number, and up to a size") {
  CHECK(tooManySkillTools(catalogueOf(many(maxSkillTools, "Short."))).empty());
  CHECK(has(tooManySkillTools(catalogueOf(many(maxSkillTools + 1, "Short."))), "101 tools"));
  const std::string large = tooManySkillTools(catalogueOf(many(80, std::string(1024, 'x'))));
  CHECK(has(large, "bytes of tools, but at most 65536 are offered"));
  CHECK(has(large, "include_skills"));
}

TEST_CASE("a name in another script is shown as it is written, behind the one that tools take") {
  auto skill = std::make_shared<Skill>();
  skill->fields.name = "中文技能";
  skill->fields.description = "Does it.";
  const CatalogueEntry foreign{skill, "skill-7dc3072132b8", true},
      asId{skill, "own/中文技能", true};
  CHECK(nameForModels(foreign) == "skill-7dc3072132b8 (中文技能)");
  CHECK(nameForModels(asId) == "own/中文技能");
  auto blank = std::make_shared<Skill>();
  blank->fields.name = "Azure CLI";
  CHECK(nameForModels({blank, "azure-cli", true}) == "azure-cli");
  const Catalogue catalogue{1, {foreign}, {}, {}};
  CHECK(has(shortCatalogue(catalogue, 1000), "- skill-7dc3072132b8 (中文技能): Does it."));
}

TEST_CASE("one endless description takes no other skill's tool away") {
  std::vector<Made> all = many(20, "Short.");
  all.push_back({"endless", "Words " + std::string(60000, 'x'), "s"});
  CHECK(tooManySkillTools(catalogueOf(all)).empty());
  // The length that the format allows is never truncated: 1,024 characters.
  std::string longest;
  for (int i = 0; i < 1024; ++i) longest += "\xE5\x88\x86";
  CHECK(has(describeSkillTool(catalogueOf({{"cjk", longest, "s"}}).entries()[0]), longest));
}
