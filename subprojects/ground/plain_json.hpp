// SPDX-License-Identifier: Apache-2.0
// A fast reader for the JSON of nearly all messages. The library's reader takes one character per
// call and keeps what it has read for its error messages.
#pragma once

#include "ground/json.hpp"

#include <string_view>

namespace skillhost {

// True: `into` is the tree that parseJson() makes of the text. False means nothing about the text,
// and `into` is useless: besides faults and exceeded limits, the reader leaves fractions,
// exponents, integers of more than 18 digits, surrogates, objects of more than 32 members and deep
// trees to the library. Throws only std::bad_alloc.
bool readPlainJson(std::string_view text, JsonLimits limits, Json &into);

} // namespace skillhost
