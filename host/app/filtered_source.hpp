// SPDX-License-Identifier: Apache-2.0
// Makes a source of the configuration together with the filters around it, which are plugins.
#pragma once

#include "app/configuration.hpp"
#include "plugin/registry.hpp"

#include <memory>
#include <string>
#include <vector>

namespace skillhost::app {

// Makes the source and then its filters, from the source outwards. Each filter is lent what is made
// before it, and the result serves what the last one serves. If one of them cannot be made, there
// is no source. `pin` is for the last one, because it names what that serves; the others receive
// only that they shall serve the newest snapshot. `problems` receives the faults of the
// configuration. Throws if a setting cannot be passed on, for example because it is not UTF-8.
Result<std::shared_ptr<Source>> makeFilteredSource(PluginRegistry &plugins,
                                                   const Configuration &configuration,
                                                   const SourceConfiguration &source,
                                                   const SourcePin &pin, SettingProblems &problems);

// Returns the names of the instances that makeFilteredSource() makes of it.
std::vector<std::string> instancesOf(const SourceConfiguration &source);

} // namespace skillhost::app
