// SPDX-License-Identifier: Apache-2.0
#include "skills/finding_summary.hpp"

#include "skills/source_skills.hpp"

namespace skillhost {

void FindingSummary::add(const Finding &finding, const std::string &prefix) {
  constexpr std::size_t maxNamed = 20;
  if (named_.empty()) first_ = prefix + render(finding);
  if (named_.size() == maxNamed) {
    ++others_[finding.code];
    return;
  }
  Finding brief = finding;
  if (finding.code == sideFolderCode) brief.message += "; " + finding.advice;
  brief.advice.clear();
  named_.push_back(prefix + render(brief));
}

std::vector<std::string> FindingSummary::lines() const {
  if (named_.size() == 1) return {first_};
  std::vector<std::string> out = named_;
  if (others_.empty()) return out;
  std::size_t count = 0;
  std::string codes;
  for (const auto &[code, times] : others_) {
    count += times;
    codes += (codes.empty() ? "" : ", ") + code + ' ' + std::to_string(times);
  }
  const bool isLock = others_.size() == 1 && others_.contains(notLockedCode);
  out.push_back("and " + std::to_string(count) + " more " + many_ + " (" + codes + "); skillhost " +
                (isLock ? "lock --check" : "validate") + " names all");
  return out;
}

} // namespace skillhost
