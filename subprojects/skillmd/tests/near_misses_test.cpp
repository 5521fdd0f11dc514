// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/utf8.hpp"
#include "skillmd/assessment.hpp"
#include "skillmd/validate.hpp"

#include <algorithm>
#include <string>
#include <string_view>

using namespace skillhost;

namespace {

struct ReadAs {
  std::string name, description;
  bool listed = false;
  std::string codes; // codes of the findings, each followed by a blank
};

ReadAs readAs(std::string_view document, Strictness strictness = Strictness::Lenient) {
  FrontMatterResult read = parseFrontMatter(document, "SKILL.md", strictness);
  ReadAs out;
  for (const Finding &finding : read.findings) out.codes += finding.code + ' ';
  if (!read.frontMatter) return out;
  const Assessment assessed = assess(*read.frontMatter, "a", "SKILL.md", strictness);
  for (const Finding &finding : assessed.findings) out.codes += finding.code + ' ';
  if (!assessed.fields) return out;
  out.name = assessed.fields->name;
  out.description = assessed.fields->description;
  out.listed = assessed.servedByExtension;
  return out;
}

ReadAs readYaml(const std::string &yaml, Strictness strictness = Strictness::Lenient) {
  return readAs("---\n" + yaml + "---\nBody\n", strictness);
}

std::string utf16(std::string_view text, bool bigEndian) {
  std::string out = bigEndian ? "\xFE\xFF" : "\xFF\xFE";
  for (const char c : text) {
    if (bigEndian) out += '\0';
    out += c;
    if (!bigEndian) out += '\0';
  }
  return out;
}

} // namespace

TEST_CASE("a description that YAML cuts at a hash is read whole, with a warning") {
  const std::string channel = "name: a\ndescription: Asks in the #deployments channel.\n";
  const ReadAs read = readYaml(channel);
  CHECK(read.description == "Asks in the #deployments channel.");
  CHECK(read.codes == "yaml-comment ");
  CHECK(read.listed);
  CHECK(readYaml("name: a\ndescription: Asks\n  in the #deployments channel.\n").description ==
        "Asks in the #deployments channel.");
  const ReadAs strict = readYaml(channel, Strictness::Strict);
  CHECK(strict.description == "Asks in the");
  CHECK(strict.codes == "yaml-comment ");
  CHECK(readYaml(channel, Strictness::Basic).description == "Asks in the");
  // Another field is refused by YAML, too.
  const ReadAs rescued = readYaml(channel + "license: a: b\n");
  CHECK(rescued.description == "Asks in the #deployments channel.");
  CHECK(rescued.codes == "yaml-colon yaml-comment ");
  // Other fields keep YAML's reading.
  CHECK(readYaml("name: a\ndescription: Does.\nlicense: MIT #1\n").codes == "yaml-comment ");
  for (const std::string plain :
       {"name: a # the name\ndescription: Does. # TODO\n", "name: a\ndescription: \"Does #1\" #x\n",
        "name: a\ndescription: |\n  Does #1\n", "name: a\n#x #y\ndescription: Does.\n"})
    CHECK(readYaml(plain).codes.find("yaml-comment") == std::string::npos);
}

TEST_CASE("fields that were joined to one line are taken apart") {
  const FrontMatterResult read =
      parseFrontMatter("---\nname: a description: Does: it.\n---\n", "SKILL.md");
  REQUIRE(read.frontMatter);
  CHECK(read.frontMatter->fields["name"] == "a");
  CHECK(read.frontMatter->fields["description"] == "Does: it.");
  REQUIRE_FALSE(read.findings.empty());
  CHECK(read.findings[0].code == "yaml-fields-joined");
  CHECK(read.findings[0].advice == "write:\nname: a\ndescription: Does: it.");
  CHECK(read.findings[0].line == 2);
  const ReadAs more = readYaml("name: a description: \"Does: it.\" license: MIT\n");
  CHECK(more.description == "Does: it.");
  CHECK_FALSE(more.listed);
  CHECK(readYaml("name: a description: Does: it.\n", Strictness::Strict).codes ==
        "yaml-fields-joined ");
  // A description may mention fields.
  CHECK(readYaml("name: a\ndescription: Writes name: and description: lines.\n").description ==
        "Writes name: and description: lines.");
}

TEST_CASE("keys that are almost keys are read and named") {
  struct Case {
    std::string yaml, code;
  };
  for (const Case &one :
       {Case{"**name**: a\n**description**: Does: it.\n", "yaml-key-bold "},
        Case{"**name:** a\n**description:** Does it.\n", "yaml-key-bold "},
        Case{"name:\u00A0a\ndescription:\u00A0Does: it.\n", "yaml-no-break-space "},
        Case{"name\uFF1Aa\ndescription\uFF1ADoes it.\n", "yaml-wide-colon "}}) {
    INFO(one.yaml);
    const ReadAs read = readYaml(one.yaml);
    CHECK(read.name == "a");
    CHECK(read.description.starts_with("Does"));
    CHECK_FALSE(read.listed);
    CHECK(read.codes.starts_with(one.code));
    CHECK(readYaml(one.yaml, Strictness::Strict).codes == one.code);
  }
  const auto unsure = parseFrontMatter(
      "---\n**name**: a\n**description**: Does it.\n**category**: secret\n---\n", "SKILL.md");
  REQUIRE(unsure.frontMatter);
  CHECK(unsure.frontMatter->isCategoryUnsure);
}

TEST_CASE("a key in capital letters is named where the right one is missing") {
  const FrontMatterResult read =
      parseFrontMatter("---\nName: a\nDescription: Does.\n---\n", "SKILL.md");
  REQUIRE(read.frontMatter);
  const Assessment assessed = assess(*read.frontMatter, "a", "SKILL.md", Strictness::Lenient);
  REQUIRE(assessed.findings.size() == 2);
  CHECK(assessed.findings[0].message.starts_with(
      "there is no name, but `Name`: keys are in small letters"));
  CHECK(assessed.findings[1].message ==
        "there is no description, but `Description`: keys are in small letters");
  CHECK(assessed.findings[1].line == 3);
}

TEST_CASE("what stands in place of front matter is named") {
  const auto message = [](std::string_view document) {
    const FrontMatterResult read = parseFrontMatter(document, "SKILL.md");
    return read.findings.empty() ? std::string() : read.findings[0].message;
  };
  CHECK(message("+++\nname = \"a\"\n+++\n").find("TOML") != std::string::npos);
  CHECK(message("**Name**: a\n**Description**: Does.\n").find("in bold") != std::string::npos);
  const std::string fenced = "```yaml\nname: a\ndescription: Does it.\n```\nBody\n";
  CHECK(message(fenced).starts_with("the front matter stands in a code block"));
  CHECK(readAs(fenced).description == "Does it.");
  CHECK(readAs("```yaml\n---\nname: a\ndescription: Does it.\n---\n```\n").description ==
        "Does it.");
  CHECK(readAs("```sh\nname: a\ndescription: Does it.\n```\n").description.empty());
}

TEST_CASE("UTF-16 and several byte order marks are read") {
  const std::string text = "---\r\nname: a\r\ndescription: Does it.\r\n---\r\nBody\r\n";
  for (const bool bigEndian : {false, true}) {
    const std::string document = utf16(text, bigEndian);
    const ReadAs read = readAs(document);
    CHECK(read.description == "Does it.");
    CHECK_FALSE(read.listed);
    CHECK(read.codes == "encoding-utf16 ");
    std::string room;
    const FrontMatterResult whole = parseFrontMatter(document, "SKILL.md");
    CHECK(withoutUtf16(document, room).substr(whole.frontMatter->bodyOffset) == "Body\r\n");
    CHECK(validateDocument(document, "SKILL.md", "a", Strictness::Lenient).size() == 1);
  }
  const ReadAs twice = readAs("\xEF\xBB\xBF\xEF\xBB\xBF" + text);
  CHECK((twice.description == "Does it." && twice.listed));
}
