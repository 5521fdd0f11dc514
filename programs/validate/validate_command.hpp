// SPDX-License-Identifier: Apache-2.0
// Describes `validate` and `skill validate`.
#pragma once

#include "commandline/description.hpp"

namespace skillhost::app {

CommandDescription validateDescription(const ArgumentDescription &help,
                                       const ArgumentDescription &json);

} // namespace skillhost::app
