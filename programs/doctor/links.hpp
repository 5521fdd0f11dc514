// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/configuration.hpp"
#include "doctor.hpp"

namespace skillhost::app {

// Says which links directly in the directories of a source of folders are followed out of them, and
// which are not. The source is one of the configuration's.
void examineLinks(const Configuration &configuration, const SourceConfiguration &source,
                  Remarks &remarks);

} // namespace skillhost::app
