// SPDX-License-Identifier: Apache-2.0
// Keys of features that we ship and that this build does not have. They are unknown here, and what
// refuses one says which feature it belongs to: passed over in silence it could open what it was
// written to close.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost::app {

// ": it belongs to …" of a key such as "locked", "sources[0].webhook_secret" or a whole section;
// empty: no such feature has it.
std::string absentKey(std::string_view key);
// "unknown key …" of a variable of the environment; empty: it is none of theirs.
std::string absentVariable(std::string_view name);
// Their options of the command line, each with what to say of it.
std::vector<std::pair<std::string, std::string>> absentOptions();

} // namespace skillhost::app
