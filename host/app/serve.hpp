// SPDX-License-Identifier: Apache-2.0
// The main job: serving one client over standard input and output.
#pragma once

#include "app/configuration.hpp"
#include "app/http_feature.hpp"

#include <string>

namespace skillhost::app {

// Runs until the input ends, the client stops listening, or SIGTERM or SIGINT. Returns the exit
// code.
int serve(const Configuration &configuration, HttpFeatureList list, const std::string &executable);

} // namespace skillhost::app
