// SPDX-License-Identifier: Apache-2.0
// The members of a log line, for programs: see write() in base/log.hpp.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::log {

// True if anybody reads members; otherwise do not make them. May be called on any thread.
bool wantsMembers() noexcept;

// Appends `"name":"text"` to the members, masked like the text of the line; an empty text is left
// out. Append numbers unmasked, because a masked number would not be JSON.
void appendMember(std::string &members, std::string_view name, std::string_view text);

} // namespace skillhost::log
