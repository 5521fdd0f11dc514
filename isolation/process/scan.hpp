// SPDX-License-Identifier: Apache-2.0
// Inspects a plugin file of unknown origin in a confined child process, which loads it and reports
// its content.
// says what it found.
#pragma once

#include "plugin/plugin_scan.hpp"

#include <string>

namespace skillhost::process {

// Runs `program` as plugin-scan, 10 seconds at most, on the calling thread. With a `copy`, the
// descriptor of a PluginCopy, that is looked into in place of the file.
PluginScan scanInChild(const std::string &program, const std::string &file, int copy = -1);

} // namespace skillhost::process
