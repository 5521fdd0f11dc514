// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "patterns.hpp"
#include "skillcheck/content_rules.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace skillhost;

TEST_CASE("each pattern can be compiled, and belongs to a rule or states a fact") {
  for (const Pattern &pattern : allPatterns()) {
    INFO(pattern.rule << ' ' << pattern.expression);
    RE2::Options options(RE2::Quiet);
    options.set_case_sensitive(false);
    const RE2 expression(re2::StringPiece(pattern.expression.data(), pattern.expression.size()),
                         options);
    CHECK(expression.ok());
    CHECK(expression.ProgramSize() < 20'000);
    CHECK_FALSE(pattern.words.empty());
    // The words are in lower case, and none is empty, because it would match everywhere.
    CHECK(std::none_of(pattern.words.begin(), pattern.words.end(),
                       [](char c) { return c >= 'A' && c <= 'Z'; }));
    CHECK(("," + std::string(pattern.words) + ",").find(",,") == std::string::npos);
    if (pattern.rule.empty()) {
      CHECK(pattern.fact != Fact::None);
      continue;
    }
    REQUIRE(contentRule(pattern.rule) != nullptr);
    CHECK(pattern.severity >= contentRule(pattern.rule)->severity);
  }
}

TEST_CASE("each sequence is of a rule, and of facts that some pattern states") {
  const std::vector<Pattern> patterns = allPatterns();
  for (const Sequence &sequence : allSequences()) {
    INFO(sequence.rule);
    REQUIRE(contentRule(sequence.rule) != nullptr);
    CHECK(sequence.severity >= contentRule(sequence.rule)->severity);
    for (const Fact part : sequence.parts) {
      const auto stated = std::count_if(patterns.begin(), patterns.end(),
                                        [&](const Pattern &each) { return each.fact == part; });
      CHECK(((part == Fact::None) || stated > 0));
    }
  }
}
