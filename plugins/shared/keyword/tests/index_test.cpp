// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "keyword/index.hpp"
#include "keyword/query.hpp"

#include <set>
#include <stdexcept>

using namespace skillhost::keyword;

namespace {

std::vector<std::string> ids(const Index &index, std::string_view text, std::size_t limit = 10,
                             std::string_view filter = {}) {
  std::vector<std::string> found;
  for (const Hit &hit : index.query(text, filter, limit)) found.push_back(hit.id);
  return found;
}
using Ids = std::vector<std::string>;

} // namespace

TEST_CASE("nothing is visible before a commit, all of it after") {
  Index index({});
  CHECK(index.generation().empty());
  CHECK(ids(index, "pdf").empty());
  index.put({"a", "pdf", "Reads PDF files", {}, {}});
  index.put({"b", "mail", "Sends mail", {}, {}});
  CHECK(ids(index, "pdf mail").empty());
  CHECK(index.generation().empty());
  index.commit("g1");
  CHECK(index.generation() == "g1");
  CHECK(ids(index, "pdf") == Ids{"a"});
  CHECK(ids(index, "mail") == Ids{"b"});
}

TEST_CASE("the plural of capitals finds their singular, and is found by it") {
  Options options;
  options.similarityWeight = 0; // only words count
  Index index(options);
  index.put({"one", "first", "Reads a PDF", {}, {}});
  index.put({"more", "second", "Reads PDFs", {}, {}});
  index.put({"none", "third", "Reads mail", {}, {}});
  index.commit("1");
  for (const char *question : {"PDFs", "PDF", "pdf"}) {
    INFO(question);
    const Ids found = ids(index, question);
    CHECK(std::set<std::string>(found.begin(), found.end()) ==
          std::set<std::string>{"one", "more"});
  }
  CHECK(ids(index, "pdfs") == Ids{"more"});
}

TEST_CASE("a put replaces and a remove removes, both by the next commit") {
  Index index({});
  index.put({"a", "pdf", "Reads documents", {}, {}});
  index.put({"b", "mail", "Sends letters", {}, {}});
  index.commit("g1");
  index.put({"a", "weather", "Forecasts rain", {}, {}});
  index.remove("b");
  index.remove("never there");
  CHECK(ids(index, "documents") == Ids{"a"});
  CHECK(ids(index, "letters") == Ids{"b"});
  index.commit("g2");
  CHECK(ids(index, "documents").empty());
  CHECK(ids(index, "letters").empty());
  CHECK(ids(index, "rain") == Ids{"a"});
  CHECK(index.generation() == "g2");
  index.remove("a");
  index.commit("");
  CHECK(ids(index, "rain").empty());
  CHECK(index.generation().empty());
}

TEST_CASE("what an interrupted commit had collected is there at the next") {
  Index index({});
  index.put({"a", "pdf", "Reads documents", {}, {}});
  CHECK_THROWS_AS(index.commit("g1", [] { throw std::runtime_error("given up"); }),
                  std::runtime_error);
  CHECK(index.generation().empty());
  CHECK(ids(index, "pdf").empty());
  index.commit("g2");
  CHECK(ids(index, "pdf") == Ids{"a"});
}

TEST_CASE("a snapshot outlives the commits after it") {
  Index index({});
  index.put({"a", "pdf", "Reads documents", {}, {}});
  index.commit("g1");
  const auto old = index.snapshot();
  index.remove("a");
  index.commit("g2");
  REQUIRE(old->size() == 1);
  REQUIRE(old->find("a"));
  CHECK(old->entry(*old->find("a")).name == "pdf");
  CHECK(index.snapshot()->size() == 0);
  CHECK_FALSE(index.snapshot()->find("a"));
}

TEST_CASE("equal entries come in order of id, and no more than were asked for") {
  Index index({});
  for (const char *id : {"delta", "alpha", "charlie", "bravo"})
    index.put({id, "pdf", "Reads PDF files", {}, {}});
  index.commit("g");
  CHECK(ids(index, "pdf files") == Ids{"alpha", "bravo", "charlie", "delta"});
  CHECK(ids(index, "pdf files", 2) == Ids{"alpha", "bravo"});
  CHECK(ids(index, "pdf files", 0).empty());
}

TEST_CASE("filters narrow a query and refuse what they do not understand") {
  Index index({});
  index.put({"a", "pdf", "Reads files", {}, R"({"source":"team","keywords":["paper"]})"});
  index.put({"b", "pdf", "Reads files", {}, R"({"source":"home"})"});
  index.put({"c", "pdf", "Reads files", {}, {}});
  index.commit("g");
  CHECK(ids(index, "pdf").size() == 3);
  CHECK(ids(index, "pdf", 10, R"({"source":["home"]})") == Ids{"b"});
  CHECK(ids(index, "pdf", 10, R"({"source":["home","team"]})").size() == 2);
  CHECK(ids(index, "pdf", 10, R"({"colour":["red"]})").empty());
  CHECK(ids(index, "paper") == Ids{"a"});
  CHECK_THROWS_AS(index.query("pdf", R"({"source":"home"})", 10), std::invalid_argument);
  CHECK_THROWS_AS(index.put({"d", "x", "y", {}, "[1]"}), std::invalid_argument);
  CHECK_THROWS_AS(index.put({"", "x", "y", {}, {}}), std::invalid_argument);
}

TEST_CASE("queries that say nothing find nothing") {
  Index index({});
  index.put({"a", "pdf", "Reads the files that you have", {}, {}});
  index.commit("g");
  for (const char *text : {"", "   ", "the", "what is this and that?", "!!!", "\xFF\xFE"}) {
    INFO(text);
    CHECK(ids(index, text).empty());
  }
}

TEST_CASE("a query is read up to its limits") {
  Index index({});
  index.put({"a", "pdf", "Reads files", {}, {}});
  index.commit("g");
  CHECK(ids(index, "pdf " + std::string(1'000'000, 'x')) == Ids{"a"});
  CHECK(ids(index, std::string(longestQuery, ' ') + "pdf").empty());
  std::string words;
  for (std::size_t i = 0; i < maxQueryTerms; ++i) words += "zz ";
  CHECK(ids(index, words + "pdf").empty());
  CHECK(ids(index, words.substr(3) + "pdf") == Ids{"a"});
}

TEST_CASE("the language and its stop words are as configured") {
  Options options;
  options.language = "klingon";
  CHECK_THROWS_AS(Index(options), std::invalid_argument);
  options.language = "none";
  options.similarityWeight = 0;
  Index exact(options);
  exact.put({"a", "x", "converting the files", {}, {}});
  exact.commit("g");
  CHECK(ids(exact, "convert").empty());
  CHECK(ids(exact, "the") == Ids{"a"});
  options.stopWords = {{"converting"}};
  Index stopped(options);
  stopped.put({"a", "x", "converting files", {}, {}});
  stopped.commit("g");
  CHECK(ids(stopped, "converting").empty());
  CHECK(ids(stopped, "files") == Ids{"a"});
}

TEST_CASE("a body counts up to the bytes configured") {
  Options options;
  options.bodyBytes = 13;
  Index index(options);
  index.put({"a", "x", "y", "early words \xC3\xA9 late", {}});
  index.commit("g");
  CHECK(ids(index, "early") == Ids{"a"});
  CHECK(ids(index, "late").empty());
  CHECK(index.snapshot()->body(0) == "early words ");
}
