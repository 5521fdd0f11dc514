// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "keyword/characters.hpp"
#include "keyword/stemming.hpp"
#include "keyword/tokens.hpp"

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using namespace skillhost::keyword;

namespace {

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> found;
  forEachToken(text, [&found](const Token &token) { found.emplace_back(token.text); });
  return found;
}
// Returns the tokens without their texts, which are valid only during the call.
std::vector<Token> tokensOf(std::string_view text) {
  std::vector<Token> found;
  forEachToken(text, [&found](const Token &token) {
    found.push_back({{}, token.begin, token.end, token.kind});
  });
  return found;
}
using Words = std::vector<std::string>;

} // namespace

TEST_CASE("plain words come in lower case, without what separates them") {
  CHECK(words("Send an E-Mail!") == Words{"send", "an", "email", "e", "mail"});
  CHECK(words("don't (stop)") == Words{"don", "t", "stop"});
  CHECK(words(" \t\n.,;") == Words{});
  CHECK(words("") == Words{});
}

TEST_CASE("identifiers are given whole and in parts") {
  CHECK(words("getUserName") == Words{"getusername", "get", "user", "name"});
  CHECK(words("GetUserName") == Words{"getusername", "get", "user", "name"});
  CHECK(words("HTTPServer") == Words{"httpserver", "http", "server"});
  CHECK(words("parseJSON") == Words{"parsejson", "parse", "json"});
  CHECK(words("air_quality-index") == Words{"airqualityindex", "air", "quality", "index"});
  CHECK(words("sha256") == Words{"sha256", "sha", "256"});
  CHECK(words("PDF") == Words{"pdf"});
  CHECK(words("_private_ -x- a--b") == Words{"private", "x", "a", "b"});
}

TEST_CASE("the s of a plural stays with its capitals, which are found without it, too") {
  CHECK(words("PDFs") == Words{"pdfs", "pdf"});
  CHECK(words("URLs, APIs; VMs (LLMs)") ==
        Words{"urls", "url", "apis", "api", "vms", "vm", "llms", "llm"});
  CHECK(words("getURLs") == Words{"geturls", "get", "url"});
  CHECK(words("userIDs-list") == Words{"useridslist", "user", "id", "list"});
  CHECK(words("PDFs_and-IDs") == Words{"pdfsandids", "pdf", "and", "id"});
  CHECK(words("PDFs2") == Words{"pdfs2", "pdf", "2"});
  CHECK(words("APIs\u3092") == Words{"apis", "api", "\u3092"});
  CHECK(words("ΔΦs") == Words{"δφs", "δφ"});
  // The last capital of a run begins the next word if a small letter follows.
  CHECK(words("HTTPServer") == Words{"httpserver", "http", "server"});
  CHECK(words("PDFAsHTML") == Words{"pdfashtml", "pdf", "as", "html"});
  CHECK(words("PDFsé") == Words{"pdfsé", "pd", "fsé"});
  CHECK(words("PDFset") == Words{"pdfset", "pd", "fset"});
  // A single capital is not a run of capitals, and words in capitals only are not split.
  CHECK(words("As Ks McDs") == Words{"as", "ks", "mcds", "mc", "ds"});
  CHECK(words("PDFS pdfs CSS") == Words{"pdfs", "pdfs", "css"});
  CHECK(words("PDF's") == Words{"pdf", "s"});
  CHECK(words("ABs") == Words{"abs", "ab"});

  const std::string text = "all PDFs!";
  const std::vector<Token> tokens = tokensOf(text);
  REQUIRE(tokens.size() == 3);
  for (std::size_t each = 1; each < 3; ++each)
    CHECK(text.substr(tokens[each].begin, tokens[each].end - tokens[each].begin) == "PDFs");
  CHECK(tokens[1].kind == TokenKind::Whole);
  CHECK(tokens[2].kind == TokenKind::Word);
}

TEST_CASE("letters beyond ASCII are letters and have cases") {
  CHECK(words("Ünïcode ÉCOLE Żółć") == Words{"ünïcode", "école", "żółć"});
  CHECK(words("Привет МИР") == Words{"привет", "мир"});
  CHECK(words("ΑΘΗΝΑ") == Words{"αθηνα"});
  CHECK(words("«naïve»\u2014caf\u00E9\u2026") == Words{"naïve", "café"});
  CHECK(words("straßeÖl") == Words{"straßeöl", "straße", "öl"});
}

TEST_CASE("scripts without spaces are given as pairs and single characters") {
  CHECK(words("天気予報") == Words{"天", "天気", "気", "気予", "予", "予報", "報"});
  CHECK(words("天") == Words{"天"});
  CHECK(words("PDFを読む") == Words{"pdf", "を", "を読", "読", "読む", "む"});
  const std::vector<Token> tokens = tokensOf("天 天気");
  REQUIRE(tokens.size() == 4);
  CHECK(tokens[0].kind == TokenKind::Single);
  CHECK(tokens[1].kind == TokenKind::Inner);
  CHECK(tokens[2].kind == TokenKind::Pair);
}

TEST_CASE("tokens say which bytes they were taken from") {
  const std::string text = "«Éa» readFile";
  for (const Token &token : tokensOf(text)) {
    REQUIRE(token.begin < token.end);
    REQUIRE(token.end <= text.size());
  }
  const std::vector<Token> tokens = tokensOf(text);
  REQUIRE(tokens.size() == 4);
  CHECK(text.substr(tokens[0].begin, tokens[0].end - tokens[0].begin) == "Éa");
  CHECK(text.substr(tokens[1].begin, tokens[1].end - tokens[1].begin) == "readFile");
  CHECK(text.substr(tokens[3].begin, tokens[3].end - tokens[3].begin) == "File");
}

TEST_CASE("bytes that are not UTF-8 separate, and encoded data is no word") {
  CHECK(words("one\xFFtwo\xC3") == Words{"one", "two"});
  CHECK(words("a\xE2\x82") == Words{"a"});
  CHECK(words("key " + std::string(500, 'x') + " end") == Words{"key", "end"});
  CHECK(words(std::string("nul\0byte", 8)) == Words{"nul", "byte"});
}

TEST_CASE("a character that is cut ends where its bytes end") {
  for (const std::string_view cut : {"\xC3", "\xE2\x82", "\xF0\x9F\x98"}) {
    // A vector has no zero at its end, so the address sanitizer reports every read beyond it.
    const std::vector<char> exact(cut.begin(), cut.end());
    const std::string_view text(exact.data(), exact.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
      CHECK(characterAt(text, at).code == 0xFFFD);
      CHECK(characterAt(text, at).size == 1);
    }
    CHECK(words(text).empty());
  }
}

TEST_CASE("a stemmer brings the forms of a word together, or leaves it alone") {
  Stemmer english("english");
  const std::string one(english.stem("converting"));
  CHECK(one == english.stem("converts"));
  CHECK(one == "convert");
  Stemmer german("german");
  const std::string house(german.stem("häuser"));
  CHECK(house == german.stem("haus"));
  Stemmer none("none");
  CHECK(none.stem("converting") == "converting");
  CHECK_THROWS_AS(Stemmer("klingon"), std::invalid_argument);
}
