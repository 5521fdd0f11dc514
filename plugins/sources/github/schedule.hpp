// SPDX-License-Identifier: Apache-2.0
// From remote/schedule.hpp, where all sources share it, under the names of this plugin.
#pragma once

#include "remote/schedule.hpp"

namespace skillhost::github {

using remote::BackOff;
using remote::spanText;
using remote::untilNextLook;
using remote::utcOffsetAt;

} // namespace skillhost::github
