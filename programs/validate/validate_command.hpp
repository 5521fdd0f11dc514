// SPDX-License-Identifier: Apache-2.0
// `validate` and `skill validate`: what checks skills.
#pragma once

#include "commandline/description.hpp"

namespace skillhost::app {

CommandDescription validateDescription(const ArgumentDescription &help,
                                       const ArgumentDescription &json);

} // namespace skillhost::app
