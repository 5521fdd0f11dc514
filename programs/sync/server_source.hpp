// SPDX-License-Identifier: Apache-2.0
// The skills of an MCP server that has the skills extension.
#pragma once

#include "mcp_client/server_channel.hpp"
#include "skill_source.hpp"

#include <memory>
#include <string>

namespace skillhost::sync {

// Reads the list of skills with skills/list, and files with resources/read. Every offer opens a new
// connection. Accepts at most 10,000 skills and a list of 128 MiB; more is a failure, and so is a
// server without the extension. `url` is that of the server, and `version` this program's.
std::unique_ptr<SkillSource> serverSource(OpenServer open, const std::string &url,
                                          std::string version);

} // namespace skillhost::sync
