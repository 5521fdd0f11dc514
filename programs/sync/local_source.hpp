// SPDX-License-Identifier: Apache-2.0
// The skills that a configuration serves.
#pragma once

#include "app/configuration.hpp"
#include "skill_source.hpp"

#include <functional>
#include <memory>
#include <string>

namespace skillhost::sync {

// See SkillSource::origin().
using OriginOfFolder = std::function<std::string(const std::string &folder)>;

// Starts the sources and waits for them, like a server, with all filters. Throws
// std::runtime_error if something is configured wrongly.
std::unique_ptr<SkillSource> localSource(const app::Configuration &configuration,
                                         const std::string &executable, OriginOfFolder origin);

} // namespace skillhost::sync
