// SPDX-License-Identifier: Apache-2.0
// From remote/operation.hpp, where all sources share it, under the names of this plugin.
#pragma once

#include "remote/operation.hpp"

namespace skillhost::github {

using remote::NetworkError;
using remote::Operation;
using remote::RemoteError;

} // namespace skillhost::github
