// SPDX-License-Identifier: Apache-2.0
// Computes the digests of skills' files for commands. It waits for the results.
#pragma once

#include "skills/library.hpp"
#include "skills/manifest.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace skillhost::app {

// Returns a manifest for each of `skills`; null if its files cannot be read now. Fails with a
// source's failure, or if some of them took longer than `each`.
Result<std::vector<ManifestPointer>> digestsOf(Library &library,
                                               std::vector<std::shared_ptr<const Skill>> skills,
                                               std::chrono::milliseconds each);

// Returns "sha256:" and the digest of the output of `sha256sum` for all files of the skill, sorted
// by the bytes of their paths.
std::string digestOfAll(const Skill &skill, const Manifest &manifest);

} // namespace skillhost::app
