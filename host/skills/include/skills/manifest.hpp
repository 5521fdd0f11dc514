// SPDX-License-Identifier: Apache-2.0
// Computes the manifest of a skill: the digest and the size of each of its files.
#pragma once

#include "plugin/call.hpp"
#include "skills/skill.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace skillhost {

class Library;

struct FileDigest {
  std::string digest; // "sha256:" and 64 hexadecimal digits
  std::uint64_t size = 0;
};

// In the order of the skill's files. The pointer is null if the files cannot be read now.
using Manifest = std::vector<FileDigest>;
using ManifestPointer = std::shared_ptr<const Manifest>;

// Returns the manifests of `skills`, in their order. Unknown manifests are computed by reading the
// files, and then kept with the skill. While one caller computes a manifest, the others wait for
// it, and compute it themselves if that caller is cancelled or late. Calls `answer` at once if all
// are known, else on an executor's thread. A file that differs from the listing makes the library
// refresh.
void findManifests(Library &library, std::vector<std::shared_ptr<const Skill>> skills,
                   const CallOptions &options, ResultCallback<std::vector<ManifestPointer>> answer);

} // namespace skillhost
