// SPDX-License-Identifier: Apache-2.0
// Rules that a site adds to the content rules of the product.
#pragma once

#include "ground/result.hpp"
#include "skillmd/finding.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace re2 {
class RE2;
}

namespace skillhost {

struct SiteRule {
  std::string id;
  Severity severity = Severity::Warning;
  std::string reason, remedy;
  std::vector<std::shared_ptr<const re2::RE2>>
      commands;                                       // searched for in commands, plainly spelled
  std::vector<std::shared_ptr<const re2::RE2>> texts; // searched for in lines
};

class SiteRules {
public:
  static constexpr std::size_t max = 256; // rules

  // Adds the rules of a file, whose form doc/findings.md describes. A rule needs a specimen that it
  // finds and one that it does not, and each specimen must be what the file says it is; otherwise
  // none of the file's rules is added, and the failure begins with `file:line: `.
  Status add(std::string_view text, const std::string &file);
  const std::vector<SiteRule> &rules() const noexcept { return rules_; }

private:
  std::vector<SiteRule> rules_;
};

} // namespace skillhost
