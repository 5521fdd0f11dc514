// SPDX-License-Identifier: Apache-2.0
// The index of what is published (Agent Skills Discovery, version 0.2.0).
#pragma once

#include "artefacts.hpp"
#include "skills/catalogue.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// Below this everything is published.
constexpr std::string_view publishedFolder = "/.well-known/agent-skills/";

// Can the index name it: 1 to 64 of a-z, 0-9 and single hyphens within?
bool isPublishedName(std::string_view name) noexcept;
// Where it is published, below the folder: "pdf/SKILL.md" or "pdf.tar.gz".
std::string publishedPath(const CatalogueEntry &entry);

struct IndexText {
  std::string text, digest; // SHA-256 of it, 64 hexadecimal digits
  std::string missing;      // the first skill that is left out, and why; "": none is
};

// Finds out the digests that are not known yet and writes the index of `entries`, which belong to
// `catalogue`. What cannot be read now is left out. Calls back once, on this thread or on one of
// a source's executor.
void writeIndexText(const std::shared_ptr<Artefacts> &artefacts,
                    std::shared_ptr<const Catalogue> catalogue,
                    std::vector<const CatalogueEntry *> entries,
                    std::function<void(IndexText)> written);

} // namespace skillhost
