// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "keyword/index.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

using namespace skillhost::keyword;

namespace {

class Shelf {
public:
  explicit Shelf(const Options &options = {}) : index_(std::make_unique<Index>(options)) {}
  Shelf &put(std::string_view id, std::string_view name, std::string_view description,
             std::string_view body = {}, std::string_view attributes = {}) {
    index_->put({id, name, description, body, attributes});
    return *this;
  }
  void remove(std::string_view id) { index_->remove(id); }
  std::vector<Hit> query(std::string_view text) {
    index_->commit("g");
    return index_->query(text, {}, 100);
  }
  std::string first(std::string_view text) {
    const std::vector<Hit> hits = query(text);
    return hits.empty() ? "" : hits.front().id;
  }

private:
  std::unique_ptr<Index> index_;
};

Shelf tools() {
  Shelf shelf;
  shelf.put("pdf", "pdf-tools", "Extract text and tables from PDF documents, fill in forms.")
      .put("mail", "send_email", "Send and schedule messages to people.")
      .put("air", "airqualityforecast", "Planning something outdoors? Know before you go.")
      .put("weather", "getWeather",
           "Temperature and rain for any city, and the quality of the air.")
      .put("sql", "SQLQueryOptimiser", "Makes slow database statements fast.",
           "Look at the execution plan, then add an index where a scan costs most.")
      .put("japan", "tenki", "天気予報を調べる")
      .put("slides", "deck", "Make presentations.", {}, R"({"keywords":["powerpoint","keynote"]})");
  return shelf;
}

} // namespace

TEST_CASE("scores are finite, above nothing, and descend") {
  const std::vector<Hit> hits = tools().query("air quality forecast for documents and people");
  REQUIRE(hits.size() >= 3);
  for (std::size_t i = 0; i < hits.size(); ++i) {
    CHECK(std::isfinite(hits[i].score));
    CHECK(hits[i].score > 0);
    if (i > 0) CHECK(hits[i - 1].score >= hits[i].score);
  }
}

TEST_CASE("every field is found by its words, whatever their form") {
  CHECK(tools().first("extracting a table from a document") == "pdf");
  CHECK(tools().first("sending emails") == "mail");
  CHECK(tools().first("optimise my SQL") == "sql");
  CHECK(tools().first("execution costs") == "sql");
  CHECK(tools().first("PowerPoint") == "slides");
  CHECK(tools().first("airQualityForecast") == "air");
  CHECK(tools().first("sqlqueryoptimiser") == "sql");
  CHECK(tools().first("予報") == "japan");
  CHECK(tools().first("天気") == "japan");
  CHECK(tools().first("気") == "japan");
}

TEST_CASE("a run-together name is found by its words, and lost with them") {
  Options options;
  options.similarityWeight = 0; // so that only the words can find it
  Shelf shelf(options);
  shelf.put("name", "airqualityforecast", "Planning something outdoors?");
  CHECK(shelf.first("forecast").empty());
  shelf.put("other", "x", "A forecast of air and water quality");
  CHECK(shelf.query("forecast").size() == 2);
  shelf.put("other", "x", "Nothing of the kind");
  CHECK(shelf.query("forecast").empty());
}

TEST_CASE("a word that is not quite right still finds something") {
  CHECK(tools().first("documnets") == "pdf");
  CHECK(tools().first("presentational") == "slides");
}

TEST_CASE("a name counts more than a description, that more than a body") {
  Shelf shelf;
  shelf.put("body", "one", "plain words", "kubernetes")
      .put("description", "two", "kubernetes words")
      .put("name", "kubernetes", "plain words");
  const std::vector<Hit> hits = shelf.query("kubernetes");
  REQUIRE(hits.size() == 3);
  CHECK(hits[0].id == "name");
  CHECK(hits[1].id == "description");
  CHECK(hits[2].id == "body");
}

TEST_CASE("a rare word weighs more than a common one") {
  Shelf shelf;
  for (int i = 0; i < 20; ++i) shelf.put("common" + std::to_string(i), "x", "image files");
  shelf.put("rare", "x", "hologram files");
  CHECK(shelf.first("image hologram") == "rare");
}

TEST_CASE("each wish of a query of several sentences is near the top") {
  Shelf shelf = tools();
  shelf.put("noise", "x", "text people tables city forms schedule");
  const std::vector<Hit> hits =
      shelf.query("Extract the text and the tables of a PDF document and fill in its forms. "
                  "Then send messages. Finally make presentations.");
  REQUIRE(hits.size() >= 3);
  std::vector<std::string> top{hits[0].id, hits[1].id, hits[2].id};
  std::sort(top.begin(), top.end());
  CHECK(top == std::vector<std::string>{"mail", "pdf", "slides"});
}

TEST_CASE("the same entries give the same hits in whatever order they came") {
  Shelf one;
  Shelf two;
  for (int i = 0; i < 50; ++i) {
    one.put("id" + std::to_string(i), "name", "words of entry " + std::to_string(i % 5));
    const int other = 49 - i;
    two.put("id" + std::to_string(other), "name", "words of entry " + std::to_string(other % 5));
  }
  const std::vector<Hit> first = one.query("entry words 3");
  const std::vector<Hit> second = two.query("entry words 3");
  REQUIRE(first.size() == second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    CHECK(first[i].id == second[i].id);
    CHECK(first[i].score == second[i].score);
    CHECK(first[i].snippet == second[i].snippet);
  }
}

TEST_CASE("what is gone does not count, whichever segment had it in which field") {
  const auto put = [](Shelf &shelf, int i) {
    const std::string name = i % 3 == 0 ? "planexecution" : "entry" + std::to_string(i);
    const std::string description = i % 4 == 0 ? "the plan" : "an execution";
    shelf.put("id" + std::to_string(i), name, description,
              i % 5 == 0 ? "execution of a plan with cost " + std::to_string(i) : "nothing");
  };
  Shelf grown;
  for (int i = 0; i < 60; ++i) {
    put(grown, i);
    if (i % 7 == 0) grown.query("commit");
  }
  for (int i = 0; i < 60; i += 2) {
    grown.remove("id" + std::to_string(i));
    if (i % 6 == 0) grown.query("commit");
  }
  for (int i = 1; i < 60; i += 9)
    grown.put("id" + std::to_string(i), "replaced", "no word of it", "plan plan");
  Shelf fresh;
  for (int i = 1; i < 60; i += 2) put(fresh, i);
  for (int i = 1; i < 60; i += 9)
    if (i % 2 == 1)
      fresh.put("id" + std::to_string(i), "replaced", "no word of it", "plan plan");
    else
      grown.remove("id" + std::to_string(i));
  for (const char *text :
       {"plan", "execution", "plan execution cost 5", "planexecution. The plan!"}) {
    const std::vector<Hit> first = grown.query(text);
    const std::vector<Hit> second = fresh.query(text);
    REQUIRE(first.size() == second.size());
    CHECK(!first.empty());
    for (std::size_t i = 0; i < first.size(); ++i) {
      CHECK(first[i].id == second[i].id);
      CHECK(first[i].score == second[i].score);
    }
  }
}

TEST_CASE("a word is as common as the entries that name it, and those that mention it in part") {
  const auto bestWith = [](double commonness) {
    Options options;
    options.bodyCommonness = commonness;
    options.similarityWeight = 0;
    Shelf shelf(options);
    for (int i = 0; i < 20; ++i)
      shelf.put("mention" + std::to_string(i), "x", "other words", "a hologram in passing");
    for (int i = 0; i < 5; ++i) shelf.put("image" + std::to_string(i), "x", "image of words");
    shelf.put("named", "x", "hologram of words");
    return shelf.first("image hologram");
  };
  CHECK(bestWith(0) == "named");
  CHECK(bestWith(0.1) == "named");
  CHECK(bestWith(1) == "image0");
}

TEST_CASE("a field with the weight 0 does not count, however long the query is") {
  const std::string task = "alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo "
                           "lima mike november oscar papa quebec romeo. Sierra tango uniform.";
  const std::string keywords = R"({"keywords":[")" + task + R"("]})";
  const auto found = [&](double Options::*weight, double similarity) {
    Options options;
    options.*weight = 0;
    options.similarityWeight = similarity;
    Shelf shelf(options);
    shelf.put("name", task, "x").put("keywords", "x", "x", {}, keywords);
    shelf.put("description", "x", task).put("body", "x", "x", task);
    std::vector<std::string> ids;
    for (const Hit &hit : shelf.query(task)) ids.push_back(hit.id);
    std::sort(ids.begin(), ids.end());
    return ids;
  };
  using Ids = std::vector<std::string>;
  for (const double similarity : {0.0, 0.1}) {
    CHECK(found(&Options::bodyWeight, similarity) == Ids{"description", "keywords", "name"});
    CHECK(found(&Options::descriptionWeight, similarity) == Ids{"body", "keywords", "name"});
    CHECK(found(&Options::keywordsWeight, similarity) == Ids{"body", "description", "name"});
  }
}
