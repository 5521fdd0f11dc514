// SPDX-License-Identifier: Apache-2.0
// Inspects a plugin file of unknown origin in a confined child process, which loads it and reports
// its content.
#pragma once

#include "plugin_calls/plugin_scan.hpp"

#include <string>

namespace skillhost::process {

// Runs `program` as plugin-scan for at most 10 seconds, on the calling thread. If `copy`, the
// descriptor of a PluginCopy, is given, it inspects the copy in place of the file.
PluginScan scanInChild(const std::string &program, const std::string &file, int copy = -1);

} // namespace skillhost::process
