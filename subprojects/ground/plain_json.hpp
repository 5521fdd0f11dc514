// SPDX-License-Identifier: Apache-2.0
// The reader of the JSON that nearly every message is made of: much faster than the library's,
// which reads one character a call and keeps what it read for the words of its errors.
#pragma once

#include "ground/json.hpp"

#include <string_view>

namespace skillhost {

// True: `into` is the tree that parseJson() makes of the text. False says nothing of the text:
// besides what is wrong or over the limits, the reader leaves fractions, exponents, integers of
// more than 18 digits, surrogates, objects of more than 32 members and deep trees to the library,
// and `into` is of no use. Throws std::bad_alloc alone.
bool readPlainJson(std::string_view text, JsonLimits limits, Json &into);

} // namespace skillhost
