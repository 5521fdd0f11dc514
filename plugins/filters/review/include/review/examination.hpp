// SPDX-License-Identifier: Apache-2.0
// What there is to see in the documents of a skill: the digest of each, and the findings.
#pragma once

#include "document_digests.hpp"
#include "plugin/source.hpp"
#include "review/trust.hpp"
#include "skillmd/finding.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

inline constexpr std::size_t largestReviewed = 64U << 20U; // bytes of a document

struct ExaminedDocument {
  std::string revision;          // that was read
  LockedDocument content;        // without a digest when it cannot be read
  std::vector<Finding> findings; // `file` is the path in its skill
  std::string name{};            // of a SKILL.md: what it calls the skill; may be empty
};
using ExaminedPointer = std::shared_ptr<const ExaminedDocument>;

ExaminedDocument examine(const Document &document, std::string_view bytes);
// Of one that cannot be read, and why: an error, so that it is not taken for harmless.
ExaminedDocument unreadableDocument(const Document &document, const std::string &why);

// A skill's documents together; `facts` are those that its source states of it, `common` those of
// all its skills.
struct ExaminedSkill {
  LockedSkill files; // empty unless all could be read
  std::vector<Finding> findings;
  std::string name; // what its SKILL.md calls it; may be empty
  Examined summary;
};
ExaminedSkill examinedSkill(const std::vector<Document> &documents,
                            const std::vector<ExaminedPointer> &each, std::string_view facts,
                            std::string_view common);

// Whether the facts that a source states say that a trusted key has signed the skill; what it
// states of this one goes before what it states of all.
bool saysSigned(std::string_view facts, std::string_view common);

} // namespace skillhost
