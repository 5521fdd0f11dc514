// SPDX-License-Identifier: Apache-2.0
// What the files of skills are, to the byte, for commands: read at once, and waited for.
#pragma once

#include "skills/library.hpp"
#include "skills/manifest.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace skillhost::app {

// In step with `skills`; null for one whose files cannot be read now. The failure is that of a
// source, or that it took longer than `each` for some of them.
Result<std::vector<ManifestPointer>> digestsOf(Library &library,
                                               std::vector<std::shared_ptr<const Skill>> skills,
                                               std::chrono::milliseconds each);

// Of all files of the skill: "sha256:" and the digest of what `sha256sum` prints of them, in the
// order of the bytes of their paths.
std::string digestOfAll(const Skill &skill, const Manifest &manifest);

} // namespace skillhost::app
