// SPDX-License-Identifier: Apache-2.0
// Serving many clients over HTTP.
#pragma once

#include "app/configuration.hpp"

#include <string>

namespace skillhost::app {

// Runs until SIGTERM or SIGINT; SIGHUP reads certificates again. Returns the exit code. Throws
// std::runtime_error when an address or a file is wrong.
int serveHttp(const Configuration &configuration, const std::string &executable);

} // namespace skillhost::app
