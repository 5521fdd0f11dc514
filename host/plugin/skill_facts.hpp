// SPDX-License-Identifier: Apache-2.0
// Checks the facts that a source states of its skills besides their documents (skh.facts/1).
#pragma once

#include "instance.hpp"

#include <map>
#include <string>
#include <string_view>

namespace skillhost {

using SkillFacts = std::map<std::string, std::string>; // by skill: the text of a JSON object

// Returns the facts of the snapshot that was just listed; on the executor's thread. Empty if the
// source states nothing; if it fails to, a warning says why.
SkillFacts askForFacts(const Instance &instance, CallFrame &frame, const std::string &snapshot);
// Returns the part of `text` that keeps the rules of facts.h; `complaint` names the first fault.
SkillFacts readFacts(std::string_view text, std::string &complaint);

} // namespace skillhost
