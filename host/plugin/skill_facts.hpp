// SPDX-License-Identifier: Apache-2.0
// What a source says of its skills besides their documents (skh.facts/1), checked.
#pragma once

#include "instance.hpp"

#include <map>
#include <string>
#include <string_view>

namespace skillhost {

using SkillFacts = std::map<std::string, std::string>; // by skill: the text of a JSON object

// Of the snapshot that was just listed; on the executor's thread. Empty when the source says
// nothing; when it fails to, a warning says why.
SkillFacts askForFacts(const Instance &instance, CallFrame &frame, const std::string &snapshot);
// What of `text` keeps the rules of facts.h; `complaint` says what the first that does not is.
SkillFacts readFacts(std::string_view text, std::string &complaint);

} // namespace skillhost
