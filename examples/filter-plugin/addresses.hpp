// SPDX-License-Identifier: Apache-2.0
// Replaces e-mail addresses in a text. It knows nothing of the host.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace redact {

// Returns the text with `replacement` in the place of each address whose domain is not in `kept`.
std::string withoutAddresses(std::string_view text, std::string_view replacement,
                             const std::vector<std::string> &kept);

} // namespace redact
