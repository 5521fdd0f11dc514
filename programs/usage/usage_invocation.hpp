// SPDX-License-Identifier: Apache-2.0
// What `usage` was told.
#pragma once

#include "usage/report.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost::app {

enum class UsageForm : std::uint8_t { Table, Json, Csv };

struct UsageInvocation {
  UsageQuestion question;
  std::vector<std::string> files; // empty: that of the configuration
  bool unused = false; // the skills that are served and were not used, in place of figures
  UsageForm form = UsageForm::Table;
};

} // namespace skillhost::app
