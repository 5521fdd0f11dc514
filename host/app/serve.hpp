// SPDX-License-Identifier: Apache-2.0
// Serves one client over standard input and output.
#pragma once

#include "app/built_features.hpp"
#include "app/configuration.hpp"

#include <string>

namespace skillhost::app {

// Runs until the input ends, the client stops reading, or SIGTERM or SIGINT arrives. Returns the
// exit code.
int serve(const Configuration &configuration, const BuiltFeatures &built,
          const std::string &executable);

} // namespace skillhost::app
