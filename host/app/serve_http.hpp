// SPDX-License-Identifier: Apache-2.0
// Serves many clients over HTTP.
#pragma once

#include "app/built_features.hpp"
#include "app/configuration.hpp"
#include "reloader.hpp"

#include <string>

namespace skillhost::app {

// Runs until SIGTERM or SIGINT. SIGHUP opens the audit file again, and reads certificates and the
// configuration of `file` again, the latter by `read`. Returns the exit code. Throws
// std::runtime_error if an address or a file is wrong.
int serveHttp(const Configuration &configuration, const BuiltFeatures &built,
              const std::string &executable, const std::string &file, Reloader::Read read);

} // namespace skillhost::app
