// SPDX-License-Identifier: Apache-2.0
// `skillhost add`, `remove`, `update` and `list`: the sources in the user's configuration file.
#pragma once

#include "catalogue_invocation.hpp"

namespace skillhost::app {

// Each answers with the exit code. The file is changed as text, see programs/edit: what it says
// beside the one entry stays, or nothing is written and the message says what to write.
int keepOwnSources(const CatalogueInvocation &invocation, const std::string &executable);

} // namespace skillhost::app
