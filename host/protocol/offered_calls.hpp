// SPDX-License-Identifier: Apache-2.0
// Calls that a plugin answers: its tools, prompts, resources and completions.
#pragma once

#include "call.hpp"
#include "offers.hpp"

namespace skillhost {

// Each answers the call, at the latest at its deadline.
void callOfferedTool(const CallPointer &call, const Offer &tool, const Json &arguments);
void getOfferedPrompt(const CallPointer &call, const Offer &prompt);
void readOfferedResource(const CallPointer &call, const Offer &resource, const std::string &uri);
// The request has been looked at: `argument` and `value` are what is to be completed.
void completeOffered(const CallPointer &call, const Offer &offer, const std::string &argument,
                     const std::string &value);

} // namespace skillhost
