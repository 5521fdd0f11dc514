// SPDX-License-Identifier: Apache-2.0
// From remote/address_guard.hpp, where all sources share it, under the names of this plugin.
#pragma once

#include "remote/address_guard.hpp"

namespace skillhost::github {

using remote::addressText;
using remote::isPrivateAddress;
using remote::namesAddress;

} // namespace skillhost::github
