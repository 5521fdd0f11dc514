// SPDX-License-Identifier: Apache-2.0
// What of an entry is given to the model, and how its words are parted.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::hybrid {

// Name and description as one text; identifiers in the name are parted into words
// ("azure-KeyVault_sdk" is "azure Key Vault sdk"), since the model has read words.
std::string passageOf(std::string_view name, std::string_view description);

} // namespace skillhost::hybrid
