// SPDX-License-Identifier: Apache-2.0
#include "base/log.hpp"
#include "base/log_members.hpp"
#include "catch2.hpp"

#include <nlohmann/json.hpp>

using namespace skillhost;

TEST_CASE("a member of a line of the log is masked and shown before it is JSON") {
  log::redact(R"(say "friend\)");
  std::string members;
  log::appendMember(members, "tool", "load");
  log::appendMember(members, "reason", R"(say "friend\ and enter)");
  log::appendMember(members, "client", "a\u202Eb\u2028c");
  log::appendMember(members, "left out", "");
  const auto line = nlohmann::json::parse('{' + members + '}');
  CHECK(line.size() == 3);
  CHECK(line.at("reason") == "***masked*** and enter");
  CHECK(line.at("client") == "a\u202Eb\u2028c");
  CHECK(members.find("a\\u202eb\\u2028c") != std::string::npos);
}
