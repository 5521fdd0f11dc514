// SPDX-License-Identifier: Apache-2.0
#include "seal.hpp"

#include "ground/sha256.hpp"

#include <algorithm>

namespace skillhost {
namespace {

constexpr std::size_t sealDigits = 64;

// Returns the position of the digest in SKILL.md; npos: there is none.
std::size_t placeOfSeal(const std::string &document) {
  const std::size_t label = document.find(sealLabel);
  if (label == std::string::npos || label + sealLabel.size() + sealDigits > document.size())
    return std::string::npos;
  return label + sealLabel.size();
}

std::vector<SkillPage>::iterator documentAmong(std::vector<SkillPage> &pages) {
  return std::find_if(pages.begin(), pages.end(),
                      [](const SkillPage &page) { return page.path == "SKILL.md"; });
}

std::string digestOf(const std::vector<SkillPage> &pages) {
  std::string digests;
  for (const SkillPage &page : pages) digests += sha256Hex(page.bytes) + ' ' + page.path + '\n';
  return sha256Hex(digests);
}

} // namespace

std::string openSeal() { return std::string(sealLabel) + std::string(sealDigits, '0') + "\"\n"; }

void seal(std::vector<SkillPage> &pages) {
  const auto document = documentAmong(pages);
  if (document == pages.end()) return;
  const std::size_t place = placeOfSeal(document->bytes);
  if (place != std::string::npos) document->bytes.replace(place, sealDigits, digestOf(pages));
}

bool areGenerated(const std::vector<SkillPage> &pages) {
  std::vector<SkillPage> unsealed = pages;
  std::sort(unsealed.begin(), unsealed.end(),
            [](const SkillPage &one, const SkillPage &other) { return one.path < other.path; });
  const auto document = documentAmong(unsealed);
  if (document == unsealed.end()) return false;
  const std::size_t place = placeOfSeal(document->bytes);
  if (place == std::string::npos) return false;
  const std::string digest = document->bytes.substr(place, sealDigits);
  document->bytes.replace(place, sealDigits, std::string(sealDigits, '0'));
  return digest == digestOf(unsealed);
}

} // namespace skillhost
