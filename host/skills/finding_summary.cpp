// SPDX-License-Identifier: Apache-2.0
#include "skills/finding_summary.hpp"

#include "skills/source_skills.hpp"

namespace skillhost {

void FindingSummary::add(const Finding &finding, const std::string &prefix) {
  constexpr std::size_t examples = 3;
  Kind &kind = kinds_[finding.code];
  if (++kind.count > examples) return;
  Finding brief = finding;
  brief.advice.clear();
  (kind.examples += kind.count == 1 ? "" : "; ") += prefix + render(brief);
  if (kind.count == 1) kind.alone = prefix + render(finding);
}

std::vector<std::string> FindingSummary::lines() const {
  std::vector<std::string> out;
  out.reserve(kinds_.size());
  for (const auto &[code, kind] : kinds_)
    out.push_back(kind.count == 1
                      ? kind.alone
                      : std::to_string(kind.count) + ' ' + many_ + " [" + code + "], such as " +
                            kind.examples + "; skillhost " +
                            (code == notLockedCode ? "lock --check" : "validate") + " names all");
  return out;
}

} // namespace skillhost
