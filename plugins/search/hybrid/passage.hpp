// SPDX-License-Identifier: Apache-2.0
// Prepares the text of an entry that the model embeds.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::hybrid {

// Joins name and description to one text. Identifiers in the name are split into words
// ("azure-KeyVault_sdk" becomes "azure Key Vault sdk"), because the model was trained on words.
std::string passageOf(std::string_view name, std::string_view description);

} // namespace skillhost::hybrid
