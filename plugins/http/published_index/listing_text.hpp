// SPDX-License-Identifier: Apache-2.0
// Writes the documents that list the published skills.
#pragma once

#include "artefacts.hpp"
#include "skills/catalogue.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// Everything is published below this path.
constexpr std::string_view publishedFolder = "/.well-known/agent-skills/";

// Returns true if the index can contain the name: 1 to 64 of a-z, 0-9 and single hyphens within.
bool isPublishedName(std::string_view name) noexcept;
// Returns the path of the skill below the folder: "pdf/SKILL.md" or "pdf.tar.gz".
std::string publishedPath(const CatalogueEntry &entry);

// Returns the description of a skill as the documents contain it: at most 1,024 characters.
std::string_view publishedDescription(const CatalogueEntry &entry) noexcept;

// How a document lists the skills: `begin`, the entries with commas between them, and "]}".
struct IndexLayout {
  std::string begin;
  std::string first{}; // an entry before those of the skills; empty for none
  // Returns the entry of a skill, whose file has the SHA-256 `digest`. Any thread.
  std::function<std::string(const CatalogueEntry &entry, const std::string &digest)> entry;
};

// Returns the layout of the index of Agent Skills Discovery, version 0.2.0.
IndexLayout agentSkillsLayout();

struct IndexText {
  std::string text, digest; // the digest is the SHA-256 of the text, 64 hexadecimal digits
  std::string missing;      // the first skill that is left out, and why; "" if there is none
};

// Computes the digests that are not known yet and writes the document that lists `entries`, which
// belong to `catalogue`. Skills that cannot be read now are left out. Calls `written` once, on this
// thread or on one of a source's executor.
void writeIndexText(const std::shared_ptr<Artefacts> &artefacts,
                    std::shared_ptr<const Catalogue> catalogue,
                    std::vector<const CatalogueEntry *> entries, IndexLayout layout,
                    std::function<void(IndexText)> written);

} // namespace skillhost
