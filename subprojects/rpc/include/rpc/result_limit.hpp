// SPDX-License-Identifier: Apache-2.0
// Cuts a tool's result that is larger than an answer may be, and marks it.
#pragma once

#include "rpc/envelope.hpp"

#include <cstddef>

namespace skillhost {

// Makes the envelope of `result` at most `bytes` (1,024 or more) long, if it is longer. The text is
// cut between characters and ends in the mark. The data keeps to its schema: lists lose items from
// their end, texts are cut and marked, and objects within the data lose members, but the members of
// the data itself stay. Sets metadata.truncated. Returns false if this was not enough or the data
// is no JSON: then the result must not be sent. Parts that `form` leaves out take no room; blocks
// are never cut.
bool limitResult(ToolResult &result, std::size_t bytes, ResultForm form = ResultForm::Both);
// Returns the envelope of the result within that many bytes, or of OPERATION_FAILED if it cannot be
// cut.
Envelope envelopeWithin(const ToolResult &result, std::chrono::milliseconds duration,
                        std::size_t bytes, ResultForm form = ResultForm::Both);

} // namespace skillhost
