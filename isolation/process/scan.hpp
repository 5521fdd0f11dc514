// SPDX-License-Identifier: Apache-2.0
// Inspects a plugin file of unknown origin in a confined child process. The child loads the file
// and reports which plugins it contains.
#pragma once

#include "plugin_calls/plugin_scan.hpp"

#include <string>

namespace skillhost::process {

// Runs `program`, which is skillhost-runner, in its role plugin-scan, and waits at most 10 seconds
// for the result. `copy` is the descriptor of a PluginCopy of the file; if it is not -1, the child
// loads the copy, and `file` only names it. Does not throw: a failure is part of the result.
PluginScan scanInChild(const std::string &program, const std::string &file, int copy = -1);

} // namespace skillhost::process
