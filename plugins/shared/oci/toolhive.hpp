// SPDX-License-Identifier: Apache-2.0
// The names in the artefacts of ToolHive's skills: an index, a manifest for each platform, and one
// layer; what describes the skill is in labels of the configuration and in annotations.
#pragma once

namespace skillhost::oci::toolhive {

inline constexpr const char *artifactType = "dev.toolhive.skills.v1";
// Labels, of which the first three are annotations too. The last two are JSON lists of texts.
inline constexpr const char *name = "dev.toolhive.skills.name",
                            *description = "dev.toolhive.skills.description",
                            *version = "dev.toolhive.skills.version",
                            *license = "dev.toolhive.skills.license",
                            *allowedTools = "dev.toolhive.skills.allowedTools",
                            *files = "dev.toolhive.skills.files";

} // namespace skillhost::oci::toolhive
