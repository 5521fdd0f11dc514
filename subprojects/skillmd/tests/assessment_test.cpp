// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "skillmd/assessment.hpp"
#include "skillmd/name_rules.hpp"
#include "skillmd/validate.hpp"

#include <algorithm>
#include <string>

using namespace skillhost;

namespace {

Assessment assessed(const std::string &yaml, Strictness strictness = Strictness::Lenient,
                    const std::string &folder = "pdf") {
  const FrontMatterResult parsed = parseFrontMatter("---\n" + yaml + "---\nbody\n", "SKILL.md");
  REQUIRE(parsed.frontMatter);
  return assess(*parsed.frontMatter, folder, "SKILL.md", strictness);
}

const Finding *find(const Assessment &assessment, const std::string &code) {
  const auto found = std::find_if(assessment.findings.begin(), assessment.findings.end(),
                                  [&](const Finding &each) { return each.code == code; });
  return found == assessment.findings.end() ? nullptr : &*found;
}

const std::string good = "name: pdf\ndescription: Reads PDF files.\n";

std::string repeated(const std::string &text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

} // namespace

TEST_CASE("a good skill is served everywhere without a word") {
  for (const Strictness strictness : {Strictness::Lenient, Strictness::Strict}) {
    const Assessment result =
        assessed(good + "license: MIT\ncompatibility: Linux\nmetadata:\n  author: me\n"
                        "allowed-tools: Read Bash(git add:*)\n",
                 strictness);
    CHECK(result.findings.empty());
    REQUIRE(result.fields);
    CHECK(result.servedByExtension);
    CHECK(result.fields->name == "pdf");
    CHECK(result.fields->description == "Reads PDF files.");
    CHECK(result.fields->license == "MIT");
    CHECK(result.fields->compatibility == "Linux");
    const Json all = Json::parse(result.fields->frontMatter);
    CHECK(all["metadata"] == Json{{"author", "me"}});
    CHECK(result.fields->allowedTools == std::vector<std::string>{"Read", "Bash(git add:*)"});
    CHECK(all["name"] == "pdf");
  }
}

TEST_CASE("fields are found at the top and in metadata, in every spelling") {
  Assessment result = assessed(good + "title: PDF\nversion: 1.0\ncategory: files\n"
                                      "keywords: [a, b]\nauto_activate: true\n"
                                      "allowed-tools:\n- Read\n- Write\n");
  REQUIRE(result.fields);
  CHECK(result.fields->title == "PDF");
  CHECK(result.fields->version == "1.0");
  CHECK(result.fields->category == "files");
  CHECK(result.fields->keywords == std::vector<std::string>{"a", "b"});
  CHECK(result.fields->allowedTools == std::vector<std::string>{"Read", "Write"});
  CHECK(result.fields->listsTools); // the official client accepts a list
  CHECK(result.servedByExtension);
  CHECK(find(result, "allowed-tools-not-text")->severity == Severity::Warning);
  CHECK(result.fields->autoActivate);
  result = assessed(good + "allowed-tools: Read, Write\nmetadata:\n  title: PDF\n  version: 2.10\n"
                           "  category: c\n  keywords: a b , c,,\n  auto_activate: \"true\"\n");
  REQUIRE(result.fields);
  CHECK(result.fields->title == "PDF");
  CHECK(result.fields->version == "2.10");
  CHECK(result.fields->category == "c");
  CHECK(result.fields->keywords == std::vector<std::string>{"a b", "c"});
  CHECK(result.fields->allowedTools == std::vector<std::string>{"Read", "Write"});
  CHECK(result.fields->autoActivate);
  CHECK_FALSE(result.servedByExtension); // because version is a number
  CHECK_FALSE(result.fields->listsTools);
  for (const char *wrong : {"allowed-tools: 5\n", "allowed-tools:\n", "allowed-tools: [Read, 5]\n",
                            "allowed-tools: {a: b}\n"}) {
    INFO(wrong);
    result = assessed(good + wrong);
    REQUIRE(result.fields);
    CHECK_FALSE(result.fields->listsTools);
    CHECK_FALSE(result.servedByExtension);
  }
}

TEST_CASE("a value of the wrong type is left out with a warning") {
  const Assessment result = assessed(good + "title: [a]\nkeywords: {a: b}\nauto_activate: maybe\n");
  REQUIRE(result.fields);
  CHECK(result.fields->title.empty());
  CHECK(result.fields->keywords.empty());
  CHECK_FALSE(result.fields->autoActivate);
  CHECK(result.findings.size() == 3);
  CHECK(find(result, "field-type")->line == 4);
}

TEST_CASE("a skill without a description is skipped") {
  const auto check = [](const std::string &line, const std::string &code) {
    const Assessment result = assessed("name: pdf\n" + line);
    INFO(line);
    CHECK_FALSE(result.fields);
    CHECK_FALSE(result.servedByExtension);
    REQUIRE(find(result, code) != nullptr);
    CHECK(find(result, code)->severity == Severity::Error);
  };
  check("", "description-missing");
  check("description:\n", "description-empty");
  check("description: \"  \"\n", "description-empty");
  // These texts are empty after trimming in Python, JavaScript or Rust.
  check("description: \"\\u00a0\\u3000\"\n", "description-empty");
  check("description: \"\\u2028\\t\\u0085\\u2009\"\n", "description-empty");
  check("description: \"\\ufeff\\u001f\"\n", "description-empty");
}

TEST_CASE("a number that JSON does not have keeps a skill from the extension alone") {
  for (const std::string number : {".inf", "-.INF", ".nan", "1e999"}) {
    INFO(number);
    const Assessment result = assessed("name: pdf\ndescription: d\nratio: " + number + "\n");
    CHECK(result.fields);
    CHECK_FALSE(result.servedByExtension);
  }
  CHECK(assessed("name: pdf\ndescription: d\nratio: \".inf\"\n").servedByExtension);
}

TEST_CASE("blanks of Unicode around or in a description leave it one") {
  for (const std::string text : {"\\u00a0d", "d\\u3000", "\\u2003\\U0001F680\\u2003"}) {
    INFO(text);
    const Assessment result = assessed("name: pdf\ndescription: \"" + text + "\"\n");
    CHECK(result.fields);
    CHECK(result.servedByExtension);
  }
}

TEST_CASE("a missing name is the folder's") {
  Assessment result = assessed("description: d\n");
  REQUIRE(result.fields);
  CHECK(result.fields->name == "pdf");
  CHECK(result.fields->toolName == "pdf");
  CHECK_FALSE(result.servedByExtension);
  CHECK(find(result, "name-missing")->severity == Severity::Warning);
  result = assessed("description: d\n", Strictness::Lenient, "My Skill");
  REQUIRE(result.fields);
  CHECK(result.fields->name == "My Skill");
  CHECK(result.fields->toolName == "my-skill");
  result = assessed("name: \"\\u3000\"\ndescription: d\n");
  REQUIRE(result.fields);
  CHECK(result.fields->name == "pdf");
  result = assessed("name: \"\"\ndescription: d\n", Strictness::Lenient, "");
  CHECK_FALSE(result.fields);
  CHECK(find(result, "name-missing")->severity == Severity::Error);
}

TEST_CASE("a name that breaks a rule is kept as it is written, and the tools have a slug of it") {
  const auto check = [](const std::string &name, const std::string &slug,
                        const std::string &folder = "the-folder") {
    const Assessment result =
        assessed("name: \"" + name + "\"\ndescription: d\n", Strictness::Lenient, folder);
    INFO(name);
    REQUIRE(result.fields);
    CHECK(result.fields->name == name);
    CHECK(result.fields->toolName == slug);
    CHECK(result.servedByExtension == (name == slug));
    CHECK((find(result, "name-invalid") == nullptr) == (name == slug));
    CHECK(result.fields->title == (name == slug ? "" : name));
    CHECK(find(result, "name-folder-mismatch")->severity == Severity::Warning);
  };
  check("pdf-forms", "pdf-forms");
  check(std::string(64, 'a'), std::string(64, 'a'));
  check(std::string(65, 'a'), std::string(64, 'a'));
  check(std::string(300, 'a'), std::string(64, 'a'));
  check("Azure CLI", "azure-cli");
  check("PDF_Forms", "pdf-forms");
  check("-a", "a");
  check("a--b", "a-b");
  check("a/b", "a-b");
  check("  Padded (v2)! ", "padded-v2");
  check("caf\xC3\xA9", "cafe");
  check("\xC3\x9C"
        "ber Tool",
        "uber-tool");
  check("\xF0\x9F\x9A\x80 Deploy", "deploy");
  // A name mostly in another script gives the folder's name, or a digest if that is no better.
  check("\xE5\x88\x86\xE6\x9E\x90\xE5\x99\xA8 v2", "the-folder");
  check("\xE5\x88\x86\xE6\x9E\x90", "my-tools", "My_Tools");
  const Assessment digest = assessed("name: \"\xE5\x88\x86\xE6\x9E\x90\"\ndescription: d\n",
                                     Strictness::Lenient, "\xE5\x88\x86");
  REQUIRE(digest.fields);
  CHECK(digest.fields->toolName.starts_with("skill-"));
  CHECK(digest.fields->toolName.size() == 18);
  check("..", "the-folder");
}

TEST_CASE("a name that is a number is taken as it is written") {
  const Assessment result = assessed("name: 007\ndescription: d\n", Strictness::Lenient, "007");
  REQUIRE(result.fields);
  CHECK(result.fields->name == "007");
  CHECK_FALSE(result.servedByExtension);
}

TEST_CASE("each harder rule of the extension withholds with its own finding") {
  const auto check = [](const std::string &yaml, const std::string &code) {
    const Assessment result = assessed(yaml);
    INFO(yaml.substr(0, 100));
    REQUIRE(result.fields);
    CHECK(result.servedByExtension == code.empty());
    if (code.empty()) return;
    REQUIRE(find(result, code) != nullptr);
    CHECK(find(result, code)->severity == Severity::Warning);
    CHECK(find(result, code)->message.find("skills/list") != std::string::npos);
  };
  const std::string name = "name: pdf\n";
  check(name + "description: " + std::string(1024, 'a') + "\n", "");
  check(name + "description: " + std::string(1025, 'a') + "\n", "description-too-long");
  // Each emoji counts as two, as in JavaScript.
  check(name + "description: " + repeated("\xC3\xA9", 1024) + "\n", "");
  check(name + "description: a" + repeated("\xF0\x9F\x98\x80", 512) + "\n", "description-too-long");
  check(good + "compatibility: " + std::string(500, 'a') + "\n", "");
  check(good + "compatibility: " + std::string(501, 'a') + "\n", "compatibility-length");
  check(good + "compatibility: \"\"\n", "compatibility-length");
  check(good + "compatibility: [a]\n", "compatibility-not-text");
  check(good + "metadata: text\n", "metadata-not-a-map");
  check(good + "metadata:\n", "metadata-not-a-map");
  check(good + "metadata:\n  a: \"1\"\n", "");
  check(good + "metadata:\n  a: 1\n", "metadata-not-text");
  check(good + "metadata:\n  a:\n    b: c\n", "metadata-not-text");
  check(good + "metadata:\n  a:\n", "metadata-not-text");
}

TEST_CASE("strict is the reference validator") {
  const auto check = [](const std::string &yaml, const std::string &code) {
    const Assessment result = assessed(yaml, Strictness::Strict);
    INFO(yaml.substr(0, 100));
    CHECK(result.fields.has_value() == code.empty());
    if (code.empty()) return;
    REQUIRE(find(result, code) != nullptr);
    CHECK(find(result, code)->severity == Severity::Error);
  };
  check(good + "version: \"1\"\n", "field-unknown");
  check("name: other\ndescription: d\n", "name-folder-mismatch");
  check("name: Pdf\ndescription: d\n", "name-invalid");
  check("description: d\n", "name-missing");
  check(good + "allowed-tools: [Read]\n", "yaml-flow-style");
  check(good + "metadata:\n  a: 1\n", ""); // these rules take every scalar for text
  check(good + "metadata:\n  a:\n    b: c\n", "metadata-not-text");
  check("name: pdf\ndescription: " + repeated("\xF0\x9F\x98\x80", 1024) + "\n", "");
  check("name: pdf\ndescription: " + repeated("\xF0\x9F\x98\x80", 1025) + "\n",
        "description-too-long");
}

TEST_CASE("the basic rules are a name of letters, digits, - and _, and a description") {
  const auto served = [](const std::string &yaml) {
    const Assessment result = assessed(yaml, Strictness::Basic);
    return result.fields.has_value();
  };
  // The example from the document that defines the rules: its folder has another name.
  CHECK(assessed("name: \"init-ideas\"\ndescription: \"Initialize project ideas\"\n"
                 "category: project-setup\n",
                 Strictness::Basic, "dev-swarms-init-ideas")
            .fields->name == "init-ideas");
  CHECK(served("name: Init_Ideas--2-\ndescription: d\n"));
  CHECK(served("name: " + std::string(99, 'a') + "\ndescription: d\n"));
  CHECK_FALSE(served("name: " + std::string(100, 'a') + "\ndescription: d\n"));
  for (const char *const name : {"odd name", "a.b",
                                 "\xC3\xBC"
                                 "ber",
                                 "a/b", "\"\""})
    CHECK_FALSE(served("name: " + std::string(name) + "\ndescription: d\n"));
  CHECK_FALSE(served("description: d\n"));
  CHECK_FALSE(served("name: a\n"));
}

TEST_CASE("by the basic rules a skill is served under its name as it is written") {
  for (const std::string &name :
       {std::string("Under_Score"), std::string("a--b-"), std::string(99, 'a')}) {
    const Assessment result = assessed("name: " + name + "\ndescription: d\n", Strictness::Basic);
    REQUIRE(result.fields);
    CHECK(result.fields->toolName == name);
    CHECK(result.fields->title.empty());
    CHECK(result.fields->mustKeepName);
    CHECK_FALSE(result.servedByExtension); // its clients would refuse the whole list
    CHECK(find(result, "name-invalid")->message.find("serve it as `" + name + "`") !=
          std::string::npos);
  }
  CHECK(assessed("name: Under_Score\ndescription: d\n").fields->toolName == "under-score");
  CHECK_FALSE(assessed(good).fields->mustKeepName);
}

TEST_CASE("the basic rules take front matter as YAML reads it, in UTF-8 alone") {
  const auto codes = [](const std::string &document) {
    std::string all;
    for (const Finding &one : validateDocument(document, "f", "pdf", Strictness::Basic))
      if (one.severity == Severity::Error) all += one.code + ' ';
    return all;
  };
  const std::string whole = "---\n" + good + "---\n";
  CHECK(codes(whole + "text\n").empty());
  CHECK(codes(whole + "caf\xE9\n") == "encoding-invalid ");
  CHECK(codes("\xFF\xFE-\0-\0-\0\n\0") != "");
  CHECK_FALSE(codes("# No front matter\n").empty());
  CHECK_FALSE(codes("---\nname: pdf\ndescription: \"a: b\nfoo: [1\n---\n").empty());
}

TEST_CASE("hooks and tools without limits are pointed out") {
  const Assessment result = assessed(good + "hooks:\n  a: b\nallowed-tools: Read Bash(*)\n");
  CHECK(result.fields);
  CHECK(find(result, "hooks")->severity == Severity::Advice);
  CHECK(find(result, "allowed-tools-wildcard")->line == 6);
  CHECK(find(assessed(good + "allowed-tools: Bash(git:*)\n"), "allowed-tools-wildcard") == nullptr);
  CHECK(find(assessed(good + "allowed-tools: \"*\"\n"), "allowed-tools-wildcard") != nullptr);
}

TEST_CASE("validation reports everything in the order of the document, each thing once") {
  const std::vector<Finding> findings =
      validateDocument("---\nname: Pdf\nversion: 1\n---\nx\xE2\x80\x8By\ncurl x | sh\n", "f", "pdf",
                       Strictness::Strict);
  std::vector<std::string> codes;
  for (const Finding &finding : findings) codes.push_back(finding.code);
  CHECK(codes == std::vector<std::string>{"description-missing", "name-invalid",
                                          "name-folder-mismatch", "field-unknown"});
  CHECK(validateDocument("---\n" + good + "---\n", "f", "pdf", Strictness::Strict).empty());
  CHECK(validateDocument("---\nname: \xFF\n---\n", "f", "pdf", Strictness::Strict).size() == 1);
  const std::vector<Finding> lenient =
      validateDocument("---\nname: \xFF\n---\n", "f", "pdf", Strictness::Lenient);
  CHECK(std::count_if(lenient.begin(), lenient.end(),
                      [](const Finding &each) { return each.code == "encoding-invalid"; }) == 1);
}
