// SPDX-License-Identifier: Apache-2.0
// Which artefacts a refresh is about: those of the configuration, of the repository's tags, and of
// the catalogue.
#pragma once

#include "registries.hpp"

#include <functional>

namespace skillhost::oci_source {

using Say = std::function<void(const std::string &)>;

// Those of the repository's tags. `say` hears what was left out. Throws what the registry does.
std::vector<Reference> tagsOfRepository(const Settings &settings, Registries &registries,
                                        remote::Operation &operation, const Say &say);
// Those that the catalogue names; the same, and oci::ContentError for a catalogue that is none.
std::vector<Reference> entriesOfCatalogue(const Settings &settings, Registries &registries,
                                          remote::Operation &operation, const Say &say);
// Each once, and at most as many as the limits allow; `say` hears what was left out.
void limitArtefacts(std::vector<Reference> &all, const Settings &settings, const Say &say);

// Is the one tag of a higher version than the other? "v1.10" is of a higher one than "v1.9", and
// "2.0" than "2.0-rc1".
bool isNewerTag(std::string_view one, std::string_view other);
// Those of the repository's tags that are wanted, the newest first.
std::vector<std::string> chooseTags(std::vector<std::string> tags, const Settings &settings);
// The lines of a catalogue that is a text. What is no reference, or of a registry that may not be
// asked, is told and left out.
std::vector<Reference> readCatalogue(std::string_view text, const Settings &settings,
                                     const Say &say);

} // namespace skillhost::oci_source
