// SPDX-License-Identifier: Apache-2.0
// Reports the content of a store for people and for programs.
#pragma once

#include "ground/json.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>

namespace skillhost {

// A skill of a store, or the reason why it cannot be loaded.
struct StoredSkill {
  std::string name;
  std::optional<store::LoadedSkill> skill; // the current version, if it verifies
  std::string why;                         // the reason otherwise
  std::vector<std::uint64_t> versions;     // kept versions, the largest first
  std::vector<std::string> foreign{};      // other names in its folder

  bool isVerified() const noexcept { return skill.has_value() && foreign.empty(); }
};
// Returns "signed by KEY"; empty if nobody checked.
std::string signatureText(const store::SignatureVerdict &verdict);
StoredSkill examine(const store::Store &store, const std::string &name);

// Returns "verified" with the state of its signatures, or "WRONG" and the reason.
std::string verdictOf(const StoredSkill &stored);
Json asJson(const StoredSkill &stored);
// Returns the files of a skill with their text, as `skill load --json` prints them. A file that is
// not UTF-8 is in Base64.
Json contentJson(const StoredSkill &stored);
// Returns one line for `skill list`.
std::string asLine(const StoredSkill &stored, std::size_t nameWidth);
// Returns everything, with the files, about a skill that verifies.
std::string asText(const StoredSkill &stored);

} // namespace skillhost
