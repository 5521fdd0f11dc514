// SPDX-License-Identifier: Apache-2.0
// The tool review_skill, which reviewers use to decide.
#pragma once

#include "mcp/tool.hpp"
#include "review/reviews.hpp"
#include "withdrawals.hpp"

namespace skillhost {

extern const Tool reviewTool;

// Answers a call of the tool. The server has checked that the caller is a reviewer. `reviews` and
// `withdrawals` must outlive the call.
void runReviewSkill(const ToolCall &tool, Reviews &reviews, Withdrawals &withdrawals);

} // namespace skillhost
