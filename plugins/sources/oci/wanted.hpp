// SPDX-License-Identifier: Apache-2.0
// Determines the artefacts of a refresh: those in the configuration, the repository's tags, and the
// catalogue.
#pragma once

#include "registries.hpp"

#include <functional>

namespace skillhost::oci_source {

using Say = std::function<void(const std::string &)>;

// Returns the artefacts of the repository's tags. Reports omissions to `say`. Throws what the
// registry throws.
std::vector<Reference> tagsOfRepository(const Settings &settings, Registries &registries,
                                        remote::Operation &operation, const Say &say);
// Returns the artefacts in the catalogue, likewise, and throws oci::ContentError if the catalogue
// is invalid.
std::vector<Reference> entriesOfCatalogue(const Settings &settings, Registries &registries,
                                          remote::Operation &operation, const Say &say);
// Removes duplicates and applies the limits. Reports omissions to `say`.
void limitArtefacts(std::vector<Reference> &all, const Settings &settings, const Say &say);

// True if `one` is a higher version: "v1.10" is higher than "v1.9", and "2.0" than "2.0-rc1".
bool isNewerTag(std::string_view one, std::string_view other);
// Chooses from the repository's tags those to serve, the newest first.
std::vector<std::string> chooseTags(std::vector<std::string> tags, const Settings &settings);
// Reads the lines of a catalogue that is a text. Lines that are no references, or name a registry
// that may not be contacted, are reported and left out.
std::vector<Reference> readCatalogue(std::string_view text, const Settings &settings,
                                     const Say &say);

} // namespace skillhost::oci_source
