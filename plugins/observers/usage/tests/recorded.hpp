// SPDX-License-Identifier: Apache-2.0
// A folder with a file of usage, and events to record in it.
#pragma once

#include "catch2.hpp"
#include "temporary_folder.hpp"
#include "usage/report.hpp"
#include "usage/usage_recorder.hpp"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace skillhost {

struct UsageFolder {
  TemporaryFolder folder;
  const std::string path = folder.path() + "/cache/usage.sqlite";

  UsageSettings settings() const {
    UsageSettings made;
    made.path = path;
    return made;
  }
};

// Returns rules with short pauses, so that tests do not wait for a commit.
inline UsageRules quickly() {
  UsageRules rules;
  rules.pause = std::chrono::milliseconds(1);
  rules.retryInterval = std::chrono::milliseconds(1);
  return rules;
}

inline constexpr std::chrono::seconds usagePatience{20};

inline UseEvent loadOf(std::string skill, std::string person = "ada") {
  UseEvent event;
  event.kind = UseKind::Load;
  event.path = "team/" + skill;
  event.skill = std::move(skill);
  event.source = "shared";
  event.digest = "sha256:0011";
  event.issuer = "https://id.example";
  event.person = std::move(person);
  event.client = "editor";
  event.microseconds = 120;
  return event;
}

inline UseEvent searchWithout(std::string text) {
  UseEvent event;
  event.kind = UseKind::Search;
  event.outcome = useNothing;
  event.text = std::move(text);
  event.client = "editor";
  return event;
}

inline std::vector<UsageRow> rowsOf(const std::string &path, UsageBy by = UsageBy::Skill) {
  UsageQuestion question;
  question.by = by;
  const Result<std::vector<UsageRow>> rows = usageRows(path, question);
  if (!rows) FAIL(rows.failure().message);
  return *rows;
}

} // namespace skillhost
