// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "keyword/analysis.hpp"
#include "keyword/term_table.hpp"

using namespace skillhost::keyword;

TEST_CASE("a frozen table knows the terms it was made of and no others") {
  std::vector<std::string> terms;
  for (int i = 0; i < 1000; ++i) terms.push_back("term" + std::to_string(i * 7));
  const TermLookup lookup(std::vector<std::string_view>(terms.begin(), terms.end()));
  for (std::uint32_t i = 0; i < terms.size(); ++i) REQUIRE(lookup.find(terms[i]) == i);
  CHECK_FALSE(lookup.find("term1"));
  CHECK_FALSE(lookup.find(""));
  CHECK_FALSE(TermLookup().find("term0"));
  CHECK_FALSE(TermLookup(std::vector<std::string_view>{}).find("term0"));
}

TEST_CASE("runs of four characters never cut one") {
  std::vector<std::string> runs;
  const auto take = [&runs](std::string_view run) { runs.emplace_back(run); };
  forEachRun("café", take);
  CHECK(runs == std::vector<std::string>{"^caf", "café", "afé$"});
  runs.clear();
  forEachRun("ab", take);
  CHECK(runs == std::vector<std::string>{"^ab$"});
  runs.clear();
  forEachRun("a", take);
  CHECK(runs.empty());
}

TEST_CASE("terms that are gone leave the tables, and the entries keep theirs") {
  Analyser analyser(std::make_shared<Language>("none", std::nullopt));
  std::string body;
  for (int i = 0; i < 30'000; ++i)
    body += "w" + std::string(1, static_cast<char>('a' + i % 26)) + "x" +
            std::string(1, static_cast<char>('a' + i / 26 % 26)) + "y" +
            std::string(1, static_cast<char>('a' + i / 676)) + " ";
  analyser.analyse({{}, {}, body, {}});
  AnalysedEntry kept = analyser.analyse({{}, "apples pears", {}, {}});
  CHECK(analyser.words().size() > 15'000);
  AnalysedEntry *const entries[] = {&kept};
  CHECK(analyser.trim(entries));
  CHECK(analyser.words().size() == 2);
  REQUIRE(kept.words.counts.size() == 2);
  CHECK(analyser.words().term(kept.words.counts[0].term) == "apples");
  CHECK(analyser.number("pears") == kept.words.counts[1].term);
  CHECK_FALSE(analyser.trim(entries));
}
