// SPDX-License-Identifier: Apache-2.0
// Downloads packages from a Maven repository.
#pragma once

#include "interruption.hpp"

#include <cstdint>
#include <string>

namespace skillhost::model {

struct Artifact {
  std::string coordinates, version; // "group:artifact"
  std::string repositoryUrl;        // empty: Maven Central
  std::uint64_t bytes = 0;          // of the .jar; a longer one is refused
};

// Returns the bytes of the artifact's .jar. A proxy is used as libcurl reads it in the environment.
// Throws std::runtime_error with the reason and the remedy, and Interrupted.
std::string downloadArtifact(const Artifact &artifact, const InterruptionGuard &interruption);

} // namespace skillhost::model
