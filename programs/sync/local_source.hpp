// SPDX-License-Identifier: Apache-2.0
// The skills that a configuration serves.
#pragma once

#include "app/configuration.hpp"
#include "skill_source.hpp"

#include <memory>
#include <string>

namespace skillhost::sync {

// Starts the sources and waits for them, like a server, with all filters. Throws
// std::runtime_error if something is configured wrongly.
std::unique_ptr<SkillSource> localSource(const app::Configuration &configuration,
                                         const std::string &executable, std::string origin);

} // namespace skillhost::sync
