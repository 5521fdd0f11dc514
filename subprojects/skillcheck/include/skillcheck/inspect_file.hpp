// SPDX-License-Identifier: Apache-2.0
// Finds leaked keys, and what inspectText() finds, in the bytes of a file, as each of its readers
// would take them.
#pragma once

#include "skillcheck/site_rules.hpp"
#include "skillmd/finding.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace skillhost {

enum class FileMode : std::uint8_t { Plain, Executable };

// `file` is named in the findings; its name tells a script from a document. Bytes behind a byte
// order mark of UTF-16 are also read as a shell reads them, which knows no UTF-16. A program with
// NUL bytes is also read without them, because shells drop them. If it is executable and in no
// known format of binary files, a finding `not-inspected` of the severity `unread` says that not
// all of it is understood. Finds nothing in other data (see isData()) and in compiled programs.
// Each rule is reported at most once, except leaked keys. Takes linear time. May be called on any
// thread.
std::vector<Finding> inspectFile(std::string_view bytes, std::string_view file, FileMode mode,
                                 Severity unread, std::span<const SiteRule> siteRules = {});

} // namespace skillhost
