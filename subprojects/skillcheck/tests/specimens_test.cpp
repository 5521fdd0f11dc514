// SPDX-License-Identifier: Apache-2.0
// Tests every rule with texts that it must find and texts that it must not. A file of specimens has
// `### rule`, then `=== error|warning|advice|nothing FILE` and the text for each. `nothing` means
// no finding of this rule, and none of any rule above advice. {U+200B} is a character.
#include "catch2.hpp"
#include "skillcheck/content_rules.hpp"
#include "skillcheck/inspect_text.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace skillhost;

namespace {

struct Specimen {
  std::string rule, expected, file, text;
};

std::string utf8(unsigned long c) {
  const auto byte = [](unsigned long value) { return static_cast<char>(value); };
  if (c < 0x80) return {byte(c)};
  if (c < 0x800) return {byte(0xC0 | c >> 6), byte(0x80 | (c & 0x3F))};
  if (c < 0x10000)
    return {byte(0xE0 | c >> 12), byte(0x80 | (c >> 6 & 0x3F)), byte(0x80 | (c & 0x3F))};
  return {byte(0xF0 | c >> 18), byte(0x80 | (c >> 12 & 0x3F)), byte(0x80 | (c >> 6 & 0x3F)),
          byte(0x80 | (c & 0x3F))};
}

std::string expanded(std::string text) {
  for (std::size_t at = text.find("{U+"); at != std::string::npos; at = text.find("{U+", at)) {
    const std::size_t end = text.find('}', at);
    text.replace(at, end - at + 1,
                 utf8(std::stoul(text.substr(at + 3, end - at - 3), nullptr, 16)));
  }
  return text;
}

std::vector<Specimen> specimens() {
  std::vector<Specimen> out;
  for (const auto &entry : std::filesystem::directory_iterator(SPECIMENS_FOLDER)) {
    std::ifstream file(entry.path());
    std::string rule;
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("### ") && contentRule(line.substr(4)) != nullptr) {
        rule = line.substr(4);
      } else if (line.starts_with("=== ")) {
        std::istringstream words(line.substr(4));
        Specimen next{rule, {}, {}, {}};
        words >> next.expected >> next.file;
        out.push_back(std::move(next));
      } else if (!out.empty()) {
        out.back().text += line + '\n';
      }
    }
  }
  for (Specimen &each : out) each.text = expanded(each.text);
  return out;
}

std::string nameOf(Severity severity) {
  return severity == Severity::Error     ? "error"
         : severity == Severity::Warning ? "warning"
                                         : "advice";
}

} // namespace

TEST_CASE("each specimen is what it is said to be") {
  for (const Specimen &each : specimens()) {
    std::string got = "nothing";
    std::string others;
    for (const Finding &finding : inspectText(each.text, each.file)) {
      if (finding.code == each.rule) got = nameOf(finding.severity);
      if (each.expected == "nothing" && finding.severity != Severity::Advice)
        others += finding.code + ' ';
      CHECK_FALSE(finding.advice.empty());
      CHECK(finding.line != 0);
      CHECK(finding.column != 0);
    }
    INFO(each.rule << " in " << each.file << ":\n" << each.text);
    CHECK(got == each.expected);
    CHECK(others.empty());
  }
}

TEST_CASE("each rule has three specimens of either kind, and gives what its row says") {
  std::map<std::string, std::size_t, std::less<>> found;
  std::map<std::string, std::size_t, std::less<>> spared;
  std::map<std::string, Severity, std::less<>> highest;
  for (const Specimen &each : specimens()) {
    const bool spares = each.expected == "nothing" || each.expected == "advice";
    ++(spares && contentRule(each.rule)->severity != Severity::Advice ? spared : found)[each.rule];
    if (each.expected == "nothing") ++spared[each.rule];
    for (const Finding &finding : inspectText(each.text, each.file)) {
      const auto place = highest.try_emplace(finding.code, finding.severity).first;
      place->second = std::min(place->second, finding.severity);
    }
  }
  for (const ContentRule &rule : contentRules()) {
    if (rule.id == "leaked-key") continue; // see leaked_keys_test.cpp
    INFO(rule.id);
    CHECK(found[std::string(rule.id)] >= 3);
    CHECK(spared[std::string(rule.id)] >= 3);
    REQUIRE(highest.contains(rule.id));
    CHECK(nameOf(highest.find(rule.id)->second) == nameOf(rule.severity));
  }
}
