// SPDX-License-Identifier: Apache-2.0
// A skill's SKILL.md as a reader gets it: read once, rendered once, kept.
#pragma once

#include "ground/fragments.hpp"
#include "mcp/call.hpp"
#include "plugin/call.hpp"
#include "skills/catalogue.hpp"

#include <memory>
#include <optional>
#include <string>

namespace skillhost {

// A skill as it is loaded: serialised once, sent many times.
struct PreparedContent {
  // What is told of the skill's files, and the rendered document, as one JSON string.
  std::shared_ptr<const std::string> jsonText;
  std::size_t headingBytes = 0; // of the first, as text
  std::size_t documentAt = 0;   // where the second begins in jsonText
  std::size_t bodyAt = 0;       // where, in the second as text, its front matter has ended
  std::string digest;           // "sha256:…" of the raw bytes
  std::size_t rawBytes = 0;
  bool truncated = false;
};

struct Content {
  std::shared_ptr<const PreparedContent> prepared;
  bool cached = false;
};

// Whose entry it is: what the caller sees of the catalogue.
using SeenCatalogue = std::shared_ptr<const Catalogue>;

// The content, when it is kept. It tells of the tools that the caller has now.
std::optional<Content> keptContent(Services &services, const SeenCatalogue &seen,
                                   const CatalogueEntry &entry);
// Reads and renders it, with the beginnings of its scripts, and keeps it; calls back from the
// source's executor. A document that is not what the catalogue listed makes the catalogue refresh,
// and fails with Stale.
void prepareContent(Services &services, const SeenCatalogue &seen, const CatalogueEntry &entry,
                    CallOptions options, Answer<Content> answer);

// All of it as plain text.
std::string plainText(const PreparedContent &prepared);
// The document alone, as a JSON string.
Fragments documentAlone(const PreparedContent &prepared);

} // namespace skillhost
