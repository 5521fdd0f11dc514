// SPDX-License-Identifier: Apache-2.0
// These tests check that an explanation adds up to the score of the query and counts the words of
// the entry.
#include "catch2.hpp"
#include "keyword/index.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>
#include <stdexcept>

using namespace skillhost::keyword;

namespace {

void fill(Index &index) {
  index.put({"pdf", "pdf-merge", "Merges PDF files into one PDF.", "Merge files with qpdf.",
             R"({"keywords":["document"]})"});
  index.put({"mail", "mail", "Sends letters", "Write a letter.", {}});
  index.put({"air", "airqualityforecast", "Says what the air is like", {}, {}});
  index.put({"words", "dictionary", "The quality of a forecast", {}, {}});
  index.commit("1");
}

double scoreOf(const Index &index, std::string_view text, const std::string &id) {
  for (const Hit &hit : index.query(text, {}, 10))
    if (hit.id == id) return hit.score;
  return 0;
}

const ExplainedWord &wordOf(const Explanation &explanation, const std::string &stem) {
  for (const ExplainedWord &word : explanation.words)
    if (word.stem == stem) return word;
  throw std::runtime_error("no such word: " + stem);
}

} // namespace

TEST_CASE("a hit is explained by the words that it has, field by field") {
  Index index({});
  fill(index);
  const auto found = index.explain("Merging PDF documents, please quux", "pdf");
  REQUIRE(found);
  CHECK(found->calibrated == Approx(scoreOf(index, "Merging PDF documents, please quux", "pdf")));
  CHECK(found->name == NameMatch::None);
  const ExplainedWord &merge = wordOf(*found, "merg");
  CHECK(merge.word == "Merging"); // as the question writes it
  CHECK(merge.counts == PerField<std::uint32_t>{1, 0, 1, 1});
  CHECK(wordOf(*found, "pdf").counts == PerField<std::uint32_t>{1, 0, 2, 0});
  CHECK(wordOf(*found, "document").counts == PerField<std::uint32_t>{0, 1, 0, 0});
  CHECK(found->missing == std::vector<std::string>{"please", "quux"});
  CHECK(std::is_sorted(found->words.begin(), found->words.end(),
                       [](const auto &a, const auto &b) { return a.score > b.score; }));
  const double words =
      std::accumulate(found->words.begin(), found->words.end(), 0.0,
                      [](double sum, const ExplainedWord &word) { return sum + word.score; });
  CHECK(found->runs > 0);
  CHECK(words + found->similarity == Approx(found->whole));
  CHECK(found->whole == Approx(found->score)); // there is one sentence
  CHECK(found->sentences.empty());

  const nlohmann::json json = toJson(*found);
  double shares = json["similarity"]["share"];
  for (const nlohmann::json &word : json["words"]) shares += word["share"].get<double>();
  CHECK(shares == Approx(1));
  CHECK(json["words"][0]["fields"].is_object());
  CHECK(!json.contains("sentences"));
}

TEST_CASE("every hit of a question scores what its explanation says") {
  for (const double similarity : {0.15, 0.0}) {
    Options options;
    options.similarityWeight = similarity;
    Index index(options);
    fill(index);
    for (const char *text :
         {"merge pdf", "forecast the quality of the air for me please",
          "Send a letter. Then merge the files! The forecast?", "PDF merge", "dictionaries"})
      for (const Hit &hit : index.query(text, {}, 10)) {
        CAPTURE(text, hit.id);
        const auto found = index.explain(text, hit.id);
        REQUIRE(found);
        CHECK(found->calibrated == Approx(hit.score));
        CHECK((similarity > 0 || found->similarity == 0));
      }
  }
}

TEST_CASE("the fields of a word add up to its score, also in a long question") {
  Index index({});
  fill(index);
  const std::string task = "Merge the PDF documents of last year, count their pages, forecast the "
                           "weather, and write a letter to each customer about air quality";
  for (const std::string &text : {std::string("merge PDF"), task}) {
    const auto found = index.explain(text, "pdf");
    REQUIRE(found);
    CHECK(found->whole == Approx(found->score));
    const ExplainedWord &merge = wordOf(*found, "merg");
    CHECK(std::accumulate(merge.scores.begin(), merge.scores.end(), 0.0) == Approx(merge.score));
    for (const Field field : {Field::Name, Field::Description, Field::Body})
      CHECK(merge.scores[indexOf(field)] > 0);
    CHECK(merge.scores[indexOf(Field::Keywords)] == 0);
    const nlohmann::json json = toJson(*found);
    for (const nlohmann::json &word : json["words"])
      if (word["stem"] == "merg")
        CHECK(word["field_scores"]["name"] == Approx(merge.scores[indexOf(Field::Name)]));
  }
  // The body says more of a long question.
  const auto bodyShare = [&](const std::string &text) {
    const auto found = index.explain(text, "pdf");
    return wordOf(*found, "merg").scores[indexOf(Field::Body)] / wordOf(*found, "merg").score;
  };
  CHECK(bodyShare(task) > 2 * bodyShare("merge PDF"));
}

TEST_CASE("sentences of a long question are scored singly, without bodies and stop words") {
  Index index({});
  fill(index);
  const std::string long1 = "Send a letter to every customer whose invoice is overdue.";
  const std::string long2 = "Merge the files!";
  const auto found = index.explain(long1 + " And then? " + long2, "pdf");
  REQUIRE(found);
  REQUIRE(found->sentences.size() == 2);
  CHECK(found->sentences[0].text == long1);
  CHECK(found->sentences[1].text == long2);
  CHECK(found->sentences[1].score > found->sentences[0].score);
  CHECK(index.explain("Send a letter. Merge the files!", "pdf")->sentences.empty());
}

TEST_CASE("a word that is only a part of a longer one is told from those that are written") {
  Index index({});
  fill(index);
  const auto found = index.explain("quality forecast", "air");
  REQUIRE(found);
  CHECK(wordOf(*found, "forecast").score > 0);
  CHECK(wordOf(*found, "forecast").counts == PerField<std::uint32_t>{});
}

TEST_CASE("what does not fit is explained, what is not there is not") {
  Index index({});
  CHECK(!index.explain("pdf", "pdf"));
  fill(index);
  const auto found = index.explain("zzz qqq", "mail");
  REQUIRE(found);
  CHECK(found->score == 0);
  CHECK(found->words.empty());
  CHECK(found->missing == std::vector<std::string>{"zzz", "qqq"});
  CHECK(toJson(*found)["similarity"]["share"] == 0);
  CHECK(!index.explain("pdf", "none"));
  CHECK(!index.explain("pdf", ""));
  for (const std::string &text :
       {std::string(), std::string(5000, 'a'), std::string("\xFF\xC3 pdf"), std::string("...!?"),
        std::string("pdf\0pdf", 7)})
    CHECK(index.explain(text, "pdf"));
  CHECK_THROWS_AS(index.explain("pdf", "pdf", [] { throw std::runtime_error("enough"); }),
                  std::runtime_error);
}

TEST_CASE("a name that is asked for is told, and what the calibrated score is made of") {
  Index index({});
  fill(index);
  const nlohmann::json named = toJson(*index.explain("PDF merge", "pdf"));
  CHECK(named["name"] == "the same");
  CHECK(named["calibrated"]["score"].get<double>() > 0.95);
  CHECK(named["calibrated"]["coverage"].get<double>() == Approx(1));
  CHECK(toJson(*index.explain("dictionaries", "words"))["name"] == "a plural");
  const nlohmann::json other = toJson(*index.explain("PDF merge", "mail"));
  CHECK(!other.contains("name"));
  CHECK(other["calibrated"]["score"] == 0);
}
