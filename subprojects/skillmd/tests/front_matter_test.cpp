// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "skillmd/front_matter.hpp"

#include <string>

using namespace skillhost;

namespace {

FrontMatterResult read(const std::string &yaml) {
  return parseFrontMatter("---\n" + yaml + "---\nbody\n", "SKILL.md");
}

// Reads front matter that must have no findings, and returns its fields.
Json fieldsOf(const std::string &yaml) {
  const FrontMatterResult result = read(yaml);
  for (const Finding &finding : result.findings) FAIL_CHECK(render(finding));
  REQUIRE(result.frontMatter);
  return result.frontMatter->fields;
}

// Returns the only finding of a document that must be refused.
Finding refusalOf(const std::string &document) {
  const FrontMatterResult result = parseFrontMatter(document, "SKILL.md", Strictness::Strict);
  INFO(document.substr(0, 200));
  REQUIRE_FALSE(result.frontMatter);
  REQUIRE(result.findings.size() == 1);
  CHECK(result.findings[0].severity == Severity::Error);
  CHECK(result.findings[0].file == "SKILL.md");
  CHECK_FALSE(result.findings[0].message.empty());
  CHECK_FALSE(result.findings[0].advice.empty());
  return result.findings[0];
}
Finding refusalOfYaml(const std::string &yaml) { return refusalOf("---\n" + yaml + "---\n"); }

} // namespace

TEST_CASE("plain scalars mean what the YAML 1.2 core schema says") {
  const Json fields = fieldsOf("a: yes\nb: on\nc: True\nd: FALSE\ne: Null\nf: ~\ng:\nh: 012\n"
                               "i: 0o17\nj: 0x1F\nk: 1.0\nl: 1e3\nm: -7\nn: +8\no: 2026-11-21\n"
                               "p: 1.2.3\nq: 1_000\nr: .5\ns: 18446744073709551615\n"
                               "t: -9223372036854775808\nu: 99999999999999999999\nv: 0b1\n");
  const Json expected = Json::parse(
      R"({"a":"yes","b":"on","c":true,"d":false,"e":null,"f":null,"g":null,"h":12,"i":15,"j":31,
          "k":1.0,"l":1000.0,"m":-7,"n":8,"o":"2026-11-21","p":"1.2.3","q":"1_000","r":0.5,
          "s":18446744073709551615,"t":-9223372036854775808,"u":1e20,"v":"0b1"})");
  for (const auto &[key, value] : expected.items()) {
    INFO(key);
    CHECK(fields[key] == value);
    CHECK(fields[key].is_string() == value.is_string());
  }
}

TEST_CASE("quotes make text, and so do explicit tags") {
  CHECK(fieldsOf("a: \"1\"\nb: 'true'\nc: !!str 5\nd: !!int \"7\"\ne: !!float 1\n"
                 "f: \"x\\\"y\\\\z\\n\\u00e9\"\ng: 'it''s'\n") ==
        Json::parse(R"({"a":"1","b":"true","c":"5","d":7,"e":1.0,"f":"x\"y\\z\né","g":"it's"})"));
  CHECK(refusalOfYaml("a: !secret b\n").code == "yaml-tag");
  CHECK(refusalOfYaml("a: !!int b\n").code == "yaml-tag");
  CHECK(refusalOfYaml("a: !!python/object:os.system {}\n").code == "yaml-tag");
}

TEST_CASE("numbers JSON does not know stay text, with a warning") {
  for (const std::string text : {".inf", "-.INF", ".nan", "1e999"}) {
    const FrontMatterResult result = read("name: x\na: " + text + "\n");
    INFO(text);
    REQUIRE(result.frontMatter);
    CHECK(result.frontMatter->fields["a"] == text);
    REQUIRE(result.findings.size() == 1);
    CHECK(result.findings[0].severity == Severity::Warning);
    CHECK(result.findings[0].line == 3);
  }
}

TEST_CASE("block scalars fold, keep and chomp") {
  CHECK(fieldsOf("a: >\n  one\n  two\n\n  three\nb: |\n  one\n    two\n\n\n  three\nc: >-\n  x\n"
                 "d: |-\n  y\n\ne: |+\n  z\n\nf: >\n  p\n    q\n  r\n") ==
        Json::parse(R"({"a":"one two\nthree\n","b":"one\n  two\n\n\nthree\n","c":"x","d":"y",
                        "e":"z\n\n","f":"p\n  q\nr\n"})"));
  CHECK(fieldsOf("a: one\n  two\n  three\nb: \"four\n  five\"\n") ==
        Json::parse(R"({"a":"one two three","b":"four five"})"));
}

TEST_CASE("maps and lists keep their order") {
  const Json fields = fieldsOf("z: 1\nmetadata:\n  b: x\n  a: \"1.0\"\nlist:\n- one\n- 2\n"
                               "tags: [a, b c]\nempty: []\nmap: {k: v}\n");
  CHECK(fields.dump() == R"({"z":1,"metadata":{"b":"x","a":"1.0"},"list":["one",2],)"
                         R"("tags":["a","b c"],"empty":[],"map":{"k":"v"}})");
}

TEST_CASE("keys have places, and numbers keep how they were written") {
  const FrontMatterResult result =
      parseFrontMatter("\xEF\xBB\xBF---  \r\nname: é\r\nversion: 1.0\r\nmetadata:\r\n  n: 0x10\r\n"
                       "  s: x\r\ntags: [a]\r\n---",
                       "f");
  REQUIRE(result.frontMatter);
  const FrontMatter &matter = *result.frontMatter;
  CHECK(matter.placeOf("version").line == 3);
  CHECK(matter.placeOf("version").column == 1);
  CHECK(matter.placeOf("none").line == 0);
  CHECK(matter.text("version") == "1.0");
  CHECK(matter.text("metadata/n") == "0x10");
  CHECK(matter.text("metadata/s") == "x");
  CHECK_FALSE(matter.text("metadata"));
  CHECK_FALSE(matter.text("metadata/none"));
  REQUIRE(matter.flow);
  CHECK(matter.flow->line == 7);
  CHECK(matter.flow->column == 7);
  CHECK(matter.bodyOffset == std::string("\xEF\xBB\xBF---  \r\nname: é\r\nversion: 1.0\r\n"
                                         "metadata:\r\n  n: 0x10\r\n  s: x\r\ntags: [a]\r\n---")
                                 .size());
}

TEST_CASE("the body begins after the closing line") {
  const std::string document = "---\nname: x\n---\n# Title\n---\n";
  const FrontMatterResult result = parseFrontMatter(document, "f");
  REQUIRE(result.frontMatter);
  CHECK(document.substr(result.frontMatter->bodyOffset) == "# Title\n---\n");
}

TEST_CASE("documents without usable front matter are told apart") {
  CHECK(refusalOf("").code == "document-empty");
  CHECK(refusalOf("# Title\n").code == "front-matter-missing");
  CHECK(refusalOf("\n---\nname: x\n---\n").message.find("very start") != std::string::npos);
  CHECK(refusalOf("----\nname: x\n----\n").code == "front-matter-missing");
  CHECK(refusalOf("---\nname: x\n# Title\n").code == "front-matter-unclosed");
  CHECK(refusalOf("---").code == "front-matter-unclosed");
  CHECK(refusalOf("---\n---\n").code == "front-matter-empty");
  CHECK(refusalOf("---\n\n# only a comment\n---\n").code == "front-matter-empty");
  CHECK(refusalOf("---\n- a\n- b\n---\n").code == "front-matter-not-a-mapping");
  CHECK(refusalOf("---\njust text\n---\n").code == "front-matter-not-a-mapping");
  CHECK(refusalOf(std::string("\x7F"
                              "ELF\0\0\1",
                              7))
            .code == "document-binary");
}

TEST_CASE("bytes that are not text are named") {
  CHECK(refusalOfYaml(std::string("a: x\nb: \0y\n", 11)).code == "nul-byte");
  CHECK(refusalOfYaml("a: \x04\n").code == "control-character");
  const Finding latin = refusalOfYaml("a: x\nname: caf\xE9\n");
  CHECK(latin.code == "encoding-invalid");
  CHECK(latin.line == 3);
  CHECK(latin.column == 10);
  CHECK(latin.message.find("byte 18 ") != std::string::npos);
}

TEST_CASE("an unquoted colon is found, and the corrected line is shown") {
  const Finding finding = refusalOfYaml("name: x\ndescription: Use when: \"asked\" to C:\\ it\n");
  CHECK(finding.code == "yaml-colon");
  CHECK(finding.line == 3);
  CHECK(finding.column == 22);
  CHECK(finding.advice.find("description: \"Use when: \\\"asked\\\" to C:\\\\ it\"") !=
        std::string::npos);
}

TEST_CASE("what real files get wrong is named with its line") {
  const auto check = [](const std::string &yaml, const std::string &code, std::size_t line) {
    const Finding finding = refusalOfYaml(yaml);
    INFO(render(finding));
    CHECK(finding.code == code);
    CHECK(finding.line == line);
  };
  check("metadata:\n\tauthor: x\n", "yaml-tab", 3);
  check("a: foo\n\tbar\n", "yaml-tab", 3);
  check("a: b\nc: | text\n", "yaml-block-scalar", 3);
  check("a: **bold** text\n", "yaml-alias", 2);
  check("a: @handle\n", "yaml-syntax", 2);
  check("a: \"\\ud83d\\ude00\"\n", "yaml-escape", 2);
  check("a: \"\\d\"\n", "yaml-escape", 2);
  check("a: \"open\nb: c\n", "yaml-quote", 2);
  check("a: 'open\nb: c\n", "yaml-quote", 2);
  check("a: \"x\" y\nb: c\n", "yaml-syntax", 2);
  check("a: b\nnot a field\nc: d\n", "yaml-colon-missing", 3);
  check("a: b\n  c: d\n", "yaml-colon", 3);
  check("a: b\nnot a field\n", "yaml-colon-missing", 3);
  check("a: - b\n", "yaml-list", 2);
  check("a: [b\nc: d\n", "yaml-flow", 3);
  check("a: b\n--- c\n", "front-matter-documents", 3);
  check("a: b\n...\nc: d\n", "front-matter-documents", 4);
  check("a: b\n%YAML 1.2\n", "yaml-directive", 3);
  check("[a]: b\n", "yaml-key", 2);
  check("? {a: b}\n: c\n", "yaml-key", 2);
}

TEST_CASE("keys without a value are fine where YAML says so") {
  CHECK(fieldsOf("a:\n\"b c\":\n'd''e' :\nf: {g, h: i}\n? j\n") ==
        Json::parse(R"({"a":null,"b c":null,"d'e":null,"f":{"g":null,"h":"i"},"j":null})"));
  CHECK(fieldsOf("~: a\n1: b\ntrue: c\n") == Json::parse(R"({"~":"a","1":"b","true":"c"})"));
}

TEST_CASE("a duplicate key is an error at its place, on every level") {
  Finding finding = refusalOfYaml("name: x\ndescription: y\nname: z\n");
  CHECK(finding.code == "yaml-duplicate-key");
  CHECK(finding.line == 4);
  CHECK(finding.column == 1);
  finding = refusalOfYaml("m:\n  a: 1\n  a: 2\n");
  CHECK(finding.code == "yaml-duplicate-key");
  CHECK(finding.line == 4);
  CHECK(finding.column == 3);
  CHECK(refusalOfYaml("m: {a: 1, \"a\": 2}\n").code == "yaml-duplicate-key");
  std::string many;
  for (int i = 0; i < 200; ++i) many += "k" + std::to_string(i) + ": 1\n";
  CHECK(fieldsOf(many).size() == 200);
  CHECK(refusalOfYaml(many + "k7: 2\n").line == 202);
}

TEST_CASE("anchors and aliases are refused where they stand") {
  const Finding anchor = refusalOfYaml("a: &x [1, 2]\nb: *x\n");
  CHECK(anchor.code == "yaml-anchor");
  CHECK(anchor.line == 2);
  CHECK(anchor.column == 4);
  CHECK(refusalOfYaml("b: *x\n").code == "yaml-alias");
  std::string bomb = "a: &a [x, x]\n";
  for (char c = 'b'; c < 'z'; ++c)
    bomb += std::string(1, c) + ": &" + c + " [*" + static_cast<char>(c - 1) + ", *" +
            static_cast<char>(c - 1) + "]\n";
  CHECK(refusalOfYaml(bomb).code == "yaml-anchor");
}

TEST_CASE("depth is limited before anything recurses") {
  std::string ten = "a: ";
  for (int i = 0; i < 9; ++i) ten += "[";
  CHECK(fieldsOf(ten + "1" + std::string(9, ']') + "\n").size() == 1);
  CHECK(refusalOfYaml(ten + "[1" + std::string(10, ']') + "\n").code == "yaml-depth");
  constexpr std::size_t deep = 10'000;
  CHECK(refusalOfYaml("a: " + std::string(deep, '[') + "\n").severity == Severity::Error);
  CHECK(refusalOfYaml("a: " + std::string(deep, '{') + "\n").severity == Severity::Error);
  std::string sequences = "a:\n ";
  std::string maps;
  for (std::size_t i = 0; i < deep; ++i) sequences += "- ";
  for (std::size_t i = 0; i < 600; ++i) maps += std::string(i, ' ') + "a:\n";
  CHECK(refusalOfYaml(sequences + "x\n").code == "yaml-depth");
  CHECK(refusalOfYaml(maps).code == "yaml-depth");
  std::string questions;
  for (std::size_t i = 0; i < deep; ++i) questions += "? ";
  CHECK(refusalOfYaml(questions + "x\n").severity == Severity::Error);
}

TEST_CASE("256 KB are read, more are not") {
  constexpr std::size_t limit = 256 * 1024;
  const std::string head = "name: x\ndescription: ";
  const std::string fits = head + std::string(limit - head.size() - 1, 'a') + "\n";
  CHECK(fieldsOf(fits)["description"].get<std::string>().size() == limit - head.size() - 1);
  CHECK(refusalOfYaml(fits + "\n").code == "front-matter-too-large");
  CHECK(refusalOfYaml(head + std::string(300'000, 'a') + "\n").code == "front-matter-too-large");
}

TEST_CASE("a finding is shown on one line, its advice below") {
  CHECK(render({Severity::Error, "a-b", "x/SKILL.md", 3, 7, "wrong", "do\nthat"}) ==
        "x/SKILL.md:3:7: error: wrong [a-b]\n  do\n  that");
  CHECK(render({Severity::Advice, "a", "f", 0, 0, "m", ""}) == "f: advice: m [a]");
  CHECK(render({Severity::Warning, "a", "f", 2, 0, "m", ""}) == "f:2: warning: m [a]");
}
