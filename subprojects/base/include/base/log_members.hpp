// SPDX-License-Identifier: Apache-2.0
// Members of a line of the log, for programs: see write() in base/log.hpp.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::log {

// Whether anybody reads them: they need not be made otherwise. Any thread.
bool wantsMembers() noexcept;

// Appends `"name":"text"` to members, masked like the text of the line; an empty one is left out.
// Numbers are added as they are: a line with a number masked would be no JSON.
void appendMember(std::string &members, std::string_view name, std::string_view text);

} // namespace skillhost::log
