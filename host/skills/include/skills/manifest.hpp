// SPDX-License-Identifier: Apache-2.0
// What the files of a skill are, to the byte: digest and size of each.
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

// In step with the skill's files. Null stands for a skill whose files cannot be read now.
using Manifest = std::vector<FileDigest>;
using ManifestPointer = std::shared_ptr<const Manifest>;

// The manifests of `skills`, in step. Those not known yet are computed by reading the files, and
// then kept with the skill; what one caller computes the others wait for, and take up again should
// that caller be cancelled or late. Calls back at once when all are known, else on an executor's
// thread. A file that is not what was listed makes the library refresh.
void findManifests(Library &library, std::vector<std::shared_ptr<const Skill>> skills,
                   const CallOptions &options, Answer<std::vector<ManifestPointer>> answer);

} // namespace skillhost
