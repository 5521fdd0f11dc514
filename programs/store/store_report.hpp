// SPDX-License-Identifier: Apache-2.0
// What a store holds, for people and for machines.
#pragma once

#include "ground/json.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>

namespace skillhost {

// A skill of a store, or why it cannot be had.
struct StoredSkill {
  std::string name;
  std::optional<store::LoadedSkill> skill; // the current version, when it verifies
  std::string why;                         // else
  std::vector<std::uint64_t> versions;     // that are kept, the largest first
  std::vector<std::string> foreign{};      // names in its folder that are none of the store's

  bool isVerified() const noexcept { return skill.has_value() && foreign.empty(); }
};
// "signed by KEY"; empty when nobody has looked.
std::string signatureText(const store::SignatureVerdict &verdict);
StoredSkill examine(const store::Store &store, const std::string &name);

// "verified", with what its signatures say; "WRONG" and why.
std::string verdictOf(const StoredSkill &stored);
Json asJson(const StoredSkill &stored);
// The files of a skill with their text, as `skill load --json` prints it; a file that is not UTF-8
// is in Base64.
Json contentJson(const StoredSkill &stored);
// One line, as `skill list` has them.
std::string asLine(const StoredSkill &stored, std::size_t nameWidth);
// Everything, with the files; of a skill that verifies.
std::string asText(const StoredSkill &stored);

} // namespace skillhost
