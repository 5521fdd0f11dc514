// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "found_skills.hpp"

#include <string>
#include <utility>
#include <vector>

using namespace skillhost;

namespace {

std::shared_ptr<const Skill> skillOf(const std::string &id, const std::string &name,
                                     const std::string &description, const std::string &digest) {
  auto skill = std::make_shared<Skill>();
  skill->id = id;
  skill->source = id.substr(0, id.find('/'));
  skill->uri = "skill://" + id;
  skill->fields.name = name;
  skill->fields.description = description;
  skill->entryDigest = digest;
  return skill;
}

} // namespace

TEST_CASE("copies of a skill are told with the one that was found first") {
  std::vector<CatalogueEntry> entries;
  for (auto &skill : {skillOf("a/pdf", "pdf", "Reads PDF files.", "1"),
                      skillOf("a/csv", "csv", "Reads tables.", "2"),
                      skillOf("b/pdf", "pdf", "Reads PDF files.", "3"),   // the text below differs
                      skillOf("c/pdf", "pdf", "Writes PDF files.", "4"),  // another skill
                      skillOf("d/read-pdf", "read-pdf", "Of old.", "1")}) // the same bytes
    entries.push_back({skill, skill->id, true});
  const Catalogue catalogue(1, std::move(entries), {}, {});
  const std::vector<FoundSkill> found = foldCopies(catalogue, {{"c/pdf", .9, ""},
                                                               {"b/pdf", .8, ""},
                                                               {"gone/pdf", .8, ""},
                                                               {"a/pdf", .7, ""},
                                                               {"a/csv", .6, ""},
                                                               {"d/read-pdf", .5, ""}});
  std::string told;
  for (const FoundSkill &one : found) {
    told += one.entry->name + ':';
    for (const CatalogueEntry *const copy : one.copies) told += ' ' + copy->name;
    told += '\n';
  }
  CHECK(told == "c/pdf:\nb/pdf: a/pdf d/read-pdf\na/csv:\n");
  CHECK(found[1].hit.score == .8);
  CHECK(copiesLine(found[0]).empty());
  CHECK(copiesLine(found[1]) == "Also: a/pdf in the source a, d/read-pdf in the source d");
}

TEST_CASE("two skills without a digest are not thereby the same") {
  CHECK_FALSE(areCopies(*skillOf("a/x", "x", "One.", ""), *skillOf("b/y", "y", "Two.", "")));
  CHECK(areCopies(*skillOf("a/x", "x", "One.", "1"), *skillOf("b/y", "y", "Two.", "1")));
  CHECK(areCopies(*skillOf("a/x", "x", "One.", "1"), *skillOf("b/x", "x", "One.", "2")));
}

TEST_CASE("a line names three copies and counts the others") {
  std::vector<CatalogueEntry> entries;
  std::vector<SearchHit> hits;
  for (int i = 0; i < 60; ++i) {
    const std::string id = "s" + std::to_string(i) + "/pdf";
    entries.push_back({skillOf(id, "pdf", "Reads PDF files.", "1"), id, true});
    hits.push_back({id, .9, ""});
  }
  const Catalogue catalogue(1, std::move(entries), {}, {});
  const std::vector<FoundSkill> found = foldCopies(catalogue, hits);
  REQUIRE(found.size() == 1);
  CHECK(found[0].copies.size() == 59);
  CHECK(copiesLine(found[0]) == "Also: s1/pdf in the source s1, s2/pdf in the source s2, s3/pdf in "
                                "the source s3, and 56 more");
}

TEST_CASE("a call searches three times at most") {
  for (std::uint32_t wanted = 1; wanted <= 20; ++wanted)
    for (std::uint32_t found = 0; found < wanted; ++found) {
      const std::uint32_t second = nextLimit(wanted, wanted, found);
      CHECK(second == wanted + (wanted - found));
      CHECK(nextLimit(wanted, second, found) == maxHits);
    }
}
