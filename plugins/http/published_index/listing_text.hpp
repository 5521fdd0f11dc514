// SPDX-License-Identifier: Apache-2.0
// Writes the documents that list the published skills: the index of Agent Skills Discovery, version
// 0.2.0, and the AI Catalog.
#pragma once

#include "ai_catalog.hpp"
#include "artefacts.hpp"
#include "ground/glob.hpp"
#include "skills/catalogue.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// The files of the skills are published below this path.
constexpr std::string_view publishedFolder = "/.well-known/agent-skills/";

// Returns true if a published skill can have the name: 1 to 64 of a-z, 0-9 and single hyphens
// within.
bool isPublishedName(std::string_view name) noexcept;
// Returns the path of the skill below the folder: "pdf/SKILL.md" or "pdf.tar.gz".
std::string publishedPath(const CatalogueEntry &entry);
// Returns the description of a skill as the documents contain it: at most 1,024 characters.
std::string_view publishedDescription(const CatalogueEntry &entry) noexcept;

struct ListingText {
  std::string text, digest; // the digest is the SHA-256 of the text, 64 hexadecimal digits
};

struct PublishedListing {
  ListingText index, aiCatalog; // the catalog is empty if the server cannot have one
  // The first skill that is left out, and why; "" if there is none, or if only too many requests
  // wait.
  std::string missing;
  bool isMissingForNow = false; // one that is left out can probably be read in a moment

  std::size_t bytes() const noexcept { // in memory
    return sizeof *this + index.text.size() + aiCatalog.text.size() + missing.size();
  }
};

// Computes the digests that are not known yet and writes the documents that list `entries`, which
// belong to `catalogue`, for the caller `whose`. Skills that cannot be read now are left out. Calls
// `written` once, on this thread or on one of a source's executor. `aiCatalog` must live until
// then.
void writeListing(const std::shared_ptr<Artefacts> &artefacts, const AiCatalog &aiCatalog,
                  std::shared_ptr<const Catalogue> catalogue,
                  std::vector<const CatalogueEntry *> entries, std::string whose,
                  std::function<void(PublishedListing)> written);

// Returns true if one of these sources has failed and serves nothing, so that its skills may be
// missing. `seen` is what the caller sees of the catalogue `whole`. A source that cannot be made
// does not count, because it fails until the configuration is corrected.
bool lacksSource(const Catalogue &whole, const Catalogue &seen, const std::vector<Glob> &sources);

} // namespace skillhost
