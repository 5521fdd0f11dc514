// SPDX-License-Identifier: Apache-2.0
// The texts of decisions in the engine and in the local copy. A replica of another version may have
// written them.
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
  std::uint64_t number = 0; // which of all changes it was
  Decision decision;
};
using NumberedDecisions = std::map<std::string, NumberedDecision>; // by skill

struct DecisionIndex {
  std::uint64_t changes = 0;
  std::set<std::string> skills; // that have a decision, or get one now
};

// The same for the same values. What is read says in its failure what is wrong with it, or that a
// newer version has written it.
std::string indexText(const DecisionIndex &index);
Result<DecisionIndex> readIndex(std::string_view text);
std::string decisionText(const std::string &skill, const NumberedDecision &decision);
Result<NumberedDecision> readDecision(std::string_view text, const std::string &skill);
std::string copyText(std::string_view service, const NumberedDecisions &decisions);
Result<NumberedDecisions> readCopy(std::string_view text, std::string_view service);

Approvals approvalsOf(const NumberedDecisions &decisions);

} // namespace skillhost
