// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/configuration.hpp"
#include "doctor.hpp"

namespace skillhost::app {

// Reports which links directly in the directories of a folder source are followed out of them, and
// which are not. The source must be one of the configuration's.
void examineLinks(const Configuration &configuration, const SourceConfiguration &source,
                  Remarks &remarks);

} // namespace skillhost::app
