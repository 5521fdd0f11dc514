// SPDX-License-Identifier: Apache-2.0
// How to run a script, for a reader that has no use for its source.
#pragma once

#include <string>
#include <string_view>

namespace skillhost {

// By the extension of `path`, or by the document's first line (`#!`).
bool isScript(std::string_view path, std::string_view document) noexcept;

// How to run the script, and what its first comment says. `path` is relative to the skill;
// `location` is what a reader can open: an absolute path or a URI.
std::string describeScript(std::string_view path, std::string_view location,
                           std::string_view document);

} // namespace skillhost
