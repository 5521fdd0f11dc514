// SPDX-License-Identifier: Apache-2.0
// Tests the text of the facts' object that plugins write.
#include "catch2.hpp"

#include <skillhost/facts.hpp>

#include <nlohmann/json.hpp>

TEST_CASE("an object of facts is JSON, whatever the texts hold") {
  CHECK(skh::FactsText{}.take() == "{}");
  skh::FactsText out;
  out.about("*");
  out.add("kind", "git");
  out.about("a \"b\"\\c");
  out.add("ref", "x\ny\x01\"\\");
  out.add("signer", "\xC3\xA4");
  out.about("empty");
  const auto read = nlohmann::json::parse(out.take());
  CHECK(read == nlohmann::json{{"*", {{"kind", "git"}}},
                               {"a \"b\"\\c", {{"ref", "x\ny\x01\"\\"}, {"signer", "\xC3\xA4"}}},
                               {"empty", nlohmann::json::object()}});
}

TEST_CASE("what is not stated, and what no host takes, is left out") {
  skh::FactsText out;
  out.about("a");
  out.add("ref", "");
  out.add("origin", std::string(skh::FactsText::longest + 1, 'x'));
  out.add("kind", std::string(skh::FactsText::longest, 'x'));
  const auto read = nlohmann::json::parse(out.take());
  CHECK((read.at("a").size() == 1 && read.at("a").contains("kind")));
}
