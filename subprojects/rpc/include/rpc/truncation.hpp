// SPDX-License-Identifier: Apache-2.0
// Cuts a tool's result that is larger than an answer may be, and marks it.
#pragma once

#include "rpc/envelope.hpp"

#include <cstddef>

namespace skillhost {

// Makes the envelope of `result` at most `bytes` (1,024 or more) long, when it is not. The text is
// cut between characters and ends in the mark. The data stays what its schema says: lists lose
// items from their end, texts are cut and marked, objects within it lose members; the members of
// the data itself stay. metadata.truncated is set. False when all that was not enough, or the data
// is no JSON: then the result must not be sent. What `form` leaves out takes no room;
// blocks are never cut.
bool limitResult(ToolResult &result, std::size_t bytes, ResultForm form = ResultForm::Both);
// The envelope of the result within that many bytes, or of OPERATION_FAILED.
Envelope envelopeWithin(const ToolResult &result, std::chrono::milliseconds duration,
                        std::size_t bytes, ResultForm form = ResultForm::Both);

} // namespace skillhost
