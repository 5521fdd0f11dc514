// SPDX-License-Identifier: Apache-2.0
// Examines the documents of a skill: computes the digest of each, and collects the findings.
#pragma once

#include "document_digests.hpp"
#include "plugin/source.hpp"
#include "review/trust.hpp"
#include "skillmd/finding.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

inline constexpr std::size_t maxReviewedBytes = 64U << 20U; // bytes of a document

struct ExaminedDocument {
  std::string path;              // in its skill
  std::string revision;          // of the document that was read
  LockedDocument content;        // without a digest if the document cannot be read
  std::vector<Finding> findings; // `file` is the path in its skill
  std::string name{};            // the skill's name in a SKILL.md; may be empty
};
using ExaminedPointer = std::shared_ptr<const ExaminedDocument>;

// Returns the findings if a document with this path and content has been examined before.
using KnownFindings = std::function<std::optional<std::vector<Finding>>(const LockedDocument &)>;

// Computes the digest of the bytes, and takes the findings from `known` if it has them.
ExaminedDocument examine(const Document &document, std::string_view bytes,
                         const KnownFindings &known = {});
// Describes a document that cannot be read, with an error as finding, so that it does not pass as
// harmless.
ExaminedDocument unreadableDocument(const Document &document, const std::string &why);

// The documents of a skill together. `facts` are the source's facts about this skill, `common`
// those about all its skills.
struct ExaminedSkill {
  LockedSkill files; // empty unless all could be read
  std::vector<Finding> findings;
  std::string name; // the name in its SKILL.md; may be empty
  Examined summary;
};
ExaminedSkill examinedSkill(std::span<const Document> documents,
                            std::span<const ExaminedPointer> each, std::string_view facts,
                            std::string_view common);

// Returns true if the source's facts say that a trusted key has signed the skill. Facts about this
// skill take precedence over those about all skills.
bool saysSigned(std::string_view facts, std::string_view common);

} // namespace skillhost
