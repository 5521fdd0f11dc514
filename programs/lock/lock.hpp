// SPDX-License-Identifier: Apache-2.0
// `skillhost lock`: writes what every source serves now, or says whether that is what was written.
#pragma once

#include "catalogue_invocation.hpp"

#include <string>

namespace skillhost::app {

// The exit code: 1 when a source cannot be asked or the file cannot be written, and with --check
// when something differs. The file is written when all of it is known, and only when it differs.
int lockSkills(const CatalogueInvocation &invocation, const std::string &executable);

} // namespace skillhost::app
