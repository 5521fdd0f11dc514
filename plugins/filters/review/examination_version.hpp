// SPDX-License-Identifier: Apache-2.0
// Tells builds apart whose examinations may find something else in the same bytes.
#pragma once

#include <string_view>

namespace skillhost {

// A digest of the sources that decide what is found. examination_version.py writes it.
extern const std::string_view examinationVersion;

} // namespace skillhost
