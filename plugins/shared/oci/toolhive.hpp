// SPDX-License-Identifier: Apache-2.0
// Names used in the artefacts of ToolHive's skills. An artefact is an index with a manifest for
// each platform and one layer; labels of the configuration and annotations describe the skill.
#pragma once

namespace skillhost::oci::toolhive {

inline constexpr const char *artifactType = "dev.toolhive.skills.v1";
// Labels; the first three are annotations as well. The last two are JSON lists of texts.
inline constexpr const char *name = "dev.toolhive.skills.name",
                            *description = "dev.toolhive.skills.description",
                            *version = "dev.toolhive.skills.version",
                            *license = "dev.toolhive.skills.license",
                            *allowedTools = "dev.toolhive.skills.allowedTools",
                            *files = "dev.toolhive.skills.files";

} // namespace skillhost::oci::toolhive
