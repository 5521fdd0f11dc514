// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "skillmd/assessment.hpp"
#include "skillmd/validate.hpp"

#include <ctime>
#include <string>
#include <vector>

using namespace skillhost;

namespace {

// Reads a document that YAML refuses, and that strict reading must refuse, too.
FrontMatter mendedFrom(const std::string &document) {
  INFO(document.substr(0, 300));
  CHECK_FALSE(parseFrontMatter(document, "SKILL.md", Strictness::Strict).frontMatter);
  const FrontMatterResult result = parseFrontMatter(document, "SKILL.md");
  REQUIRE(result.frontMatter);
  CHECK(result.frontMatter->mended);
  CHECK_FALSE(result.findings.empty());
  for (const Finding &finding : result.findings) {
    CHECK(finding.severity == Severity::Warning);
    CHECK(finding.line != 0);
    CHECK(finding.column != 0);
    CHECK(finding.message.find("withheld from skills/list") != std::string::npos);
  }
  const Assessment assessment = assess(*result.frontMatter, "x", "SKILL.md", Strictness::Lenient);
  CHECK_FALSE(assessment.servedByExtension);
  return *result.frontMatter;
}
FrontMatter mended(const std::string &yaml) { return mendedFrom("---\n" + yaml + "---\nbody\n"); }

// Returns the description from front matter that YAML refuses, with a valid name beside it.
std::string description(const std::string &written) {
  const FrontMatter matter = mended("name: x\ndescription:" + written + "license: MIT\n");
  CHECK(matter.fields["name"] == "x");
  CHECK(matter.fields["license"] == "MIT");
  CHECK(matter.placeOf("description").line == 3);
  return matter.fields["description"].get<std::string>();
}

Finding warningOf(const std::string &yaml) {
  const FrontMatterResult result = parseFrontMatter("---\n" + yaml + "---\n", "SKILL.md");
  INFO(yaml);
  REQUIRE(result.frontMatter);
  REQUIRE(result.findings.size() == 1);
  return result.findings[0];
}

} // namespace

TEST_CASE("a category that could not be read for sure is said to be so") {
  const auto unsure = [](const std::string &yaml) {
    const FrontMatterResult read =
        parseFrontMatter("---\nname: x\ndescription: d\n" + yaml + "---\n", "");
    INFO(yaml);
    REQUIRE(read.frontMatter);
    return assess(*read.frontMatter, "x", "", Strictness::Lenient).fields.value().isCategoryUnsure;
  };
  for (const char *yaml :
       {"metadata:\n\tcategory: internal\n\tx: [a\n",
        "metadata:\n  category: internal\n    team: hr\n",
        "metadata: {category: internal, team: hr\n",
        "metadata:\n  - category: internal\n  team: hr\n",
        "metadata:\n  category\xEF\xBC\x9A internal\n  a: b: c\n", "category: internal: hr\n",
        "category: {internal\n", "category: @internal\n", "category:internal\n",
        "- category: internal\n", "category: [internal]\n", "metadata:\n  category: {a: b}\n",
        "metadata: [category]\n"})
    CHECK(unsure(yaml));
  for (const char *yaml : {"category: internal\n", "metadata:\n  category: internal\n",
                           "license: a: b\n", "category:\n", "license: MIT\n"})
    CHECK_FALSE(unsure(yaml));
}

TEST_CASE("a value on one line is what a person reads there") {
  CHECK(description(" Use when: \"asked\" to C:\\ it # now\n") ==
        "Use when: \"asked\" to C:\\ it # now");
  CHECK(description(" **Bold** text\n") == "**Bold** text");
  CHECK(description(" @handle does it\n") == "@handle does it");
  CHECK(description(" `code` first\n") == "`code` first");
  CHECK(description(" - an item\n") == "- an item");
  CHECK(description(" [Tag] what it does\n") == "[Tag] what it does");
  CHECK(description(" {{DESCRIPTION}} and more\n") == "{{DESCRIPTION}} and more");
  CHECK(description(" ![](https://example.org/a.png) and more\n") ==
        "![](https://example.org/a.png) and more");
  CHECK(description(" & more: text\n") == "& more: text");
  CHECK(description(" a\xC2\x85: b\xE2\x80\xA8 c: d\n") == "a\xC2\x85: b\xE2\x80\xA8 c: d");
}

TEST_CASE("quotation marks around the whole are no part of it, others are") {
  CHECK(description(" \"Use \"this\" now\"\n") == "Use \"this\" now");
  CHECK(description(" 'Don't do it'\n") == "Don't do it");
  CHECK(description(" \"Reads\" and writes\n") == "\"Reads\" and writes");
  CHECK(description(" \"never closed\n") == "never closed");
  CHECK(description(" \"a \\d b\"\n") == "a \\d b");
}

TEST_CASE("a bar or an angle with text behind it is not read as text") {
  CHECK(description(" | Use it\n") == "Use it");
  CHECK(description(" >- Use it\n") == "Use it");
  CHECK(description(" |Use it\n") == "Use it");
  CHECK(description(" | One\n  two\n   three\n") == "One\ntwo\n three");
  CHECK(description(" > One\n  two\n\n  three\n") == "One two\nthree");
  CHECK(description(" |\nat the margin\n") == "at the margin");
}

TEST_CASE("lines below a value belong to it") {
  CHECK(description(" Use when: asked\n  or told.\n\n  Not else: no\n") ==
        "Use when: asked or told.\nNot else: no");
  CHECK(description(" For these:\n1. one\n2. two\n# a comment\n") == "For these:\n1. one\n2. two");
  CHECK(description("\n  Use when: asked\n  - or told\n") == "Use when: asked\n- or told");
}

TEST_CASE("what other fields hold is mended as far as it can be, and the rest is left out") {
  const FrontMatter nested = mended("name: x\ndescription: d\nmetadata:\n\tauthor: me\n"
                                    "\thint: Use: this\n\tlist:\n\t- a: b: c\n");
  CHECK(nested.fields["metadata"] ==
        Json::parse(R"({"author":"me","hint":"Use: this","list":[{"a":"b: c"}]})"));
  CHECK(mended("name: x\ndescription: d\nargument-hint: [a] [b]\n").fields["argument-hint"] ==
        "[a] [b]");
  const FrontMatter left =
      mended("name: x\ndescription: d\nread_when:\n  - \"x\" in text\n   y: [\nlicense: MIT\n");
  CHECK(left.fields["license"] == "MIT");
  const FrontMatter prose = mended("name: x\nA line of text\ndescription: d\n");
  CHECK(prose.fields == Json::parse(R"({"name":"x","description":"d"})"));
}

TEST_CASE("halves of characters become characters") {
  CHECK(mended("name: x\nmetadata: {\"e\": \"\\ud83c\\udfdb\\ufe0f \\ud83d\"}\n")
            .fields["metadata"]["e"] == "\xF0\x9F\x8F\x9B\xEF\xB8\x8F \xEF\xBF\xBD");
}

TEST_CASE("bytes that are not UTF-8, and characters nobody sees") {
  CHECK(description(" caf\xE9 \x93quoted\x94\n") == "caf\xC3\xA9 \xE2\x80\x9Cquoted\xE2\x80\x9D");
  CHECK(description(std::string(" nul\0 byte\x04\n", 12)) == "nul byte");
}

TEST_CASE("delimiters that are not quite right") {
  const auto check = [](const std::string &document, const std::string &body, std::size_t line) {
    const FrontMatter matter = mendedFrom(document);
    CHECK(matter.fields == Json::parse(R"({"name":"x","description":"d"})"));
    CHECK(document.substr(matter.bodyOffset) == body);
    CHECK(matter.placeOf("description").line == line);
  };
  const std::string fields = "name: x\ndescription: d\n";
  check("\n\n---\n" + fields + "---\nbody\n", "body\n", 5);
  check("# Title\n\n---\n" + fields + "---\nbody\n", "body\n", 5);
  check("----\n" + fields + "----\nbody\n", "body\n", 3);
  check("---\xC2\xA0\n" + fields + "---\nbody\n", "body\n", 3);
  check("---\n" + fields + "---# Title\nbody\n", "# Title\nbody\n", 3);
  check("---\n" + fields + "  ---\nbody\n", "body\n", 3);
  check("---\n" + fields + "# Title\nbody\n", "# Title\nbody\n", 3);
  check("---\n" + fields + "\nA paragraph.\n", "A paragraph.\n", 3);
  check(fields + "---\nbody\n", "body\n", 2);
}

TEST_CASE("the warning says where, and what to write") {
  const Finding colon = warningOf("name: x\ndescription: Use when: \"asked\"\n");
  CHECK(colon.code == "yaml-colon");
  CHECK(colon.line == 3);
  CHECK(colon.column == 22);
  CHECK(colon.advice == "write:\ndescription: \"Use when: \\\"asked\\\"\"");
  const Finding bar = warningOf("name: x\n\ndescription: | text\n");
  CHECK(bar.code == "yaml-block-scalar");
  CHECK(bar.line == 4);
  CHECK(bar.advice == "write:\ndescription: \"text\"");
}

TEST_CASE("what YAML takes is never read in another way, and limits stay limits") {
  const FrontMatterResult good = parseFrontMatter("---\na: \"b\\nc\"\nd: [e]\n---\n", "f");
  REQUIRE(good.frontMatter);
  CHECK_FALSE(good.frontMatter->mended);
  CHECK(good.findings.empty());
  for (const std::string yaml :
       {"a: &x [1]\nb: *x\n", "a: !secret b\n", "a: 1\na: 2\n", "a: b\n%YAML 1.2\n",
        "a: [[[[[[[[[[[1]]]]]]]]]]]\n", "? {a: b}\n: c\n", "just text\n", "- a\n- b\n"}) {
    const std::string document = "---\n" + yaml + "---\n";
    const FrontMatterResult result = parseFrontMatter(document, "f");
    INFO(yaml);
    CHECK_FALSE(result.frontMatter);
    REQUIRE(result.findings.size() == 1);
    CHECK(result.findings[0].code ==
          parseFrontMatter(document, "f", Strictness::Strict).findings[0].code);
  }
}

TEST_CASE("documents that are cut off or have no fields stay broken") {
  for (const std::string document :
       {"", "# Title\n\ntext\n", "---\n\n# Title\n\nUse: this\n", "---\nversion: 1\n\nText.\n",
        "---\nname: x\ndescription: cut off\n", "---\nname: x\ndescription: [not yet\n---\n"})
    CHECK_FALSE(parseFrontMatter(document, "f").frontMatter);
}

TEST_CASE("a list as a description is served as it is written") {
  const auto served = [](const std::string &yaml) {
    const FrontMatterResult parsed = parseFrontMatter("---\nname: x\n" + yaml + "---\n", "f");
    REQUIRE(parsed.frontMatter);
    CHECK_FALSE(parsed.frontMatter->mended);
    CHECK_FALSE(assess(*parsed.frontMatter, "x", "f", Strictness::Strict).fields);
    const Assessment lenient = assess(*parsed.frontMatter, "x", "f", Strictness::Lenient);
    REQUIRE(lenient.fields);
    CHECK_FALSE(lenient.servedByExtension);
    return lenient.fields->description;
  };
  CHECK(served("description: [TODO: say it]\n") == "[TODO: say it]");
  CHECK(served("description:\n  - one\n  - two\nlicense: MIT\n") == "- one\n- two");
  CHECK(served("description:\n  Use when: asked\n") == "Use when: asked");
  CHECK(served("description: 42\n") == "42");
}

TEST_CASE("the time of a rescue grows with the text and not with its square") {
  const auto spent = [](const std::string &yaml) {
    const std::clock_t start = std::clock();
    static_cast<void>(parseFrontMatter("---\n" + yaml + "---\n", "f"));
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  const auto repeated = [](const std::string &text, std::size_t bytes) {
    std::string out;
    while (out.size() < bytes) out += text;
    return out;
  };
  constexpr std::size_t large = 250'000;
  constexpr double generous = 20; // seconds, for a sanitizer on a busy machine
  CHECK(spent("a: b: c\n" + repeated("x: y\n", large)) < generous);
  CHECK(spent("a:\n" + repeated("  b: c: d\n", large)) < generous);
  CHECK(spent("a: " + repeated("b: ", large) + "\n") < generous);
  CHECK(spent(repeated("a: '\nb: \"\n", large)) < generous);
  CHECK(spent("a: " + repeated("\\ud83d\"", large) + "\n") < generous);
  CHECK(spent("a: " + repeated("[", 60'000) + "\n") < generous);
  CHECK(spent(repeated("\t", 60'000) + "a: b\n") < generous);
}
