// SPDX-License-Identifier: Apache-2.0
// A skill's SKILL.md as a reader gets it: read once, rendered once, kept.
#pragma once

#include "call.hpp"
#include "plugin/call.hpp"
#include "skills/catalogue.hpp"

#include <memory>
#include <optional>
#include <string>

namespace skillhost {

// A skill as it is loaded: serialised once, sent many times.
struct PreparedContent {
  std::shared_ptr<const std::string> jsonText; // the rendered document as a JSON string
  std::string digest;                          // "sha256:…" of the raw bytes
  std::size_t rawBytes = 0;
  bool truncated = false;
};

struct Content {
  std::shared_ptr<const PreparedContent> prepared;
  bool cached = false;
};

// The content, when it is kept.
std::optional<Content> keptContent(Services &services, const CatalogueEntry &entry);
// Reads and renders it, and keeps it; calls back from the source's lane. A document that is not
// what the catalogue listed makes the catalogue refresh, and fails with Stale.
void prepareContent(Services &services, const CatalogueEntry &entry, CallOptions options,
                    Answer<Content> answer);

// The same paths made usable in any text of the skill.
std::string renderText(const Services &services, const Skill &skill, std::string_view text);

} // namespace skillhost
