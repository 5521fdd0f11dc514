// SPDX-License-Identifier: Apache-2.0
// Converts decisions to and from the texts in the engine and in the local copy. A replica of
// another version may have written these texts.
#pragma once

#include "ground/result.hpp"
#include "review/approvals.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace skillhost {

struct NumberedDecision {
  std::uint64_t number = 0; // the count of all changes at this one
  Decision decision;
};
using NumberedDecisions = std::map<std::string, NumberedDecision>; // by skill

struct DecisionIndex {
  std::uint64_t changes = 0;
  std::set<std::string> skills; // skills that have a decision or are just getting one
};

// Equal values result in equal texts. A failure of reading says what is wrong with the text, which
// a newer version may have written.
std::string indexText(const DecisionIndex &index);
Result<DecisionIndex> readIndex(std::string_view text);
std::string decisionText(const std::string &skill, const NumberedDecision &decision);
Result<NumberedDecision> readDecision(std::string_view text, const std::string &skill);
std::string copyText(std::string_view service, const NumberedDecisions &decisions);
Result<NumberedDecisions> readCopy(std::string_view text, std::string_view service);

Approvals approvalsOf(const NumberedDecisions &decisions);

} // namespace skillhost
