// SPDX-License-Identifier: Apache-2.0
// From remote/proxy.hpp, where all sources share it, under the names of this plugin.
#pragma once

#include "remote/proxy.hpp"

namespace skillhost::github {

using remote::proxyFor;

} // namespace skillhost::github
