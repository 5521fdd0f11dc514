// SPDX-License-Identifier: Apache-2.0
// Names of options for messages of the library oauth.
#pragma once

#include "oauth/discovery.hpp"

namespace skillhost {

inline SettingNames optionNames() { return {"--issuer", "--token-file"}; }

} // namespace skillhost
