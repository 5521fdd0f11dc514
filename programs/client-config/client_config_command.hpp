// SPDX-License-Identifier: Apache-2.0
// `client-config`: what makes a client start this server, or reach one.
#pragma once

#include "commandline/description.hpp"

namespace skillhost::app {

CommandDescription clientConfigDescription(const ArgumentDescription &help);

} // namespace skillhost::app
