// SPDX-License-Identifier: Apache-2.0
// Serving many clients over HTTP.
#pragma once

#include "app/built_features.hpp"
#include "app/configuration.hpp"
#include "reloader.hpp"

#include <string>

namespace skillhost::app {

// Runs until SIGTERM or SIGINT; SIGHUP opens the audit file anew, reads certificates again, and the
// configuration, which is that of `file`, by `read`. Returns the exit code. Throws
// std::runtime_error when an address or a file is wrong.
int serveHttp(const Configuration &configuration, const BuiltFeatures &built,
              const std::string &executable, const std::string &file, Reloader::Read read);

} // namespace skillhost::app
