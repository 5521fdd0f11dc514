// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "file_names.hpp"
#include "ground/json.hpp"
#include "markdown.hpp"
#include "plain_text.hpp"

#include <nlohmann/json.hpp>

#include <set>

using namespace skillhost;

TEST_CASE("what is not seen is written out") {
  CHECK(visibleText("a\xE2\x80\xAE"
                    "b\x1B[31m\xF3\xA0\x81\x81",
                    100) == "a[U+202E]b[U+001B][31m[U+E0041]");
  CHECK(visibleText("a\r\nb\tc", 100) == "a\nb\tc");
  CHECK(visibleText("\xFF", 100) == "\xEF\xBF\xBD");
  CHECK(visibleText("gr\xC3\xBC\xC3\x9F", 100) == "gr\xC3\xBC\xC3\x9F");
}

TEST_CASE("megabytes become a few bytes, never half a character") {
  const std::string large(10'000'000, 'x');
  CHECK(visibleText(large, 100).size() < 200);
  CHECK(visibleText(large, 100).find("9999900 more bytes") != std::string::npos);
  CHECK(visibleLine(large, 100).size() < 110);
  CHECK(visibleLine("\xC3\xBC\xC3\xBC", 3) == "\xC3\xBC\xE2\x80\xA6");
}

TEST_CASE("sentences are kept whole where they fit") {
  CHECK(firstSentences("One. Two is longer. Three.", 10) == "One.");
  CHECK(firstSentences("One. Two.", 100) == "One. Two.");
  CHECK(firstSentences("Without any end here", 10) == "Without an\xE2\x80\xA6");
}

TEST_CASE("a quotation holds every line, and nothing in it acts") {
  CHECK(quotedMarkdown("one\n\n```\n---\n# two\n", 100) == "> one\n>\n> ```\n> ---\n> # two\n");
  CHECK(quotedMarkdown("<!-- hear me --> <b> 1 < 2 ![x](y) !`rm`", 100) ==
        "> &lt;!-- hear me --> &lt;b> 1 < 2 !\\[x](y) ! `rm`\n");
  CHECK(inlineMarkdown("a | [b](c)\n`d` <e>", 100) == "a \\| \\[b\\](c) \\`d\\` &lt;e>");
  CHECK(quotedWords("say \"yes\" <b> [x](y)", 100) == "\"say 'yes' &lt;b> \\[x\\](y)\"");
  CHECK(codeSpan("a``b") == "``` a``b ```");
  CHECK(codeSpan("a\nb") == "`a b`");
}

TEST_CASE("a block of JSON is the same JSON") {
  const Json json{{"a", "!`rm` <!-- x --> ``` \xE2\x80\xAE \xF3\xA0\x81\x81"}};
  const std::string block = jsonBlock(json.dump(2));
  CHECK(block.find("!`") == std::string::npos);
  CHECK(block.find("<!--") == std::string::npos);
  CHECK(block.find("\xE2\x80\xAE") == std::string::npos);
  CHECK(Json::parse(block.substr(8, block.size() - 8 - 5)) == json);
}

TEST_CASE("files have safe names that differ, whatever the order") {
  const std::vector<std::string> names{"echo",    "Echo", "../../etc/passwd", "a/b",   "a_b",
                                       ".hidden", "con",  "\xC3\xBC",         "plain", "-x"};
  const std::vector<std::string> files = fileNames(names);
  std::set<std::string> folded;
  for (std::size_t i = 0; i < names.size(); ++i) {
    CAPTURE(names[i], files[i]);
    std::string lower;
    for (const char byte : files[i])
      lower += static_cast<char>(std::tolower(static_cast<unsigned char>(byte)));
    CHECK(folded.insert(lower).second);
    CHECK(files[i].find('/') == std::string::npos);
    CHECK(files[i].find("..") == std::string::npos);
    CHECK(files[i].front() != '.');
    CHECK(files[i].front() != '-');
    CHECK((files[i] == names[i]) == (names[i] == "plain"));
  }
  CHECK(fileNames({"Echo", "echo"})[1] == files[0]);
  CHECK(fileNames({std::string(300, 'a')})[0].size() < 100);
}

TEST_CASE("a name that aims at another's file misses it") {
  const std::string aimed = fileNames({"a/b"})[0];
  const std::vector<std::string> files = fileNames({"a/b", aimed});
  CHECK(files[0] != files[1]);
}
