// SPDX-License-Identifier: Apache-2.0
// What the section `trust` of the configuration says.
#pragma once

#include "ground/result.hpp"
#include "review/approvals_signature.hpp"
#include "review/trust_rule.hpp"
#include "settings/feature_settings.hpp"

#include <string>
#include <vector>

namespace skillhost::app {

std::vector<TrustRule> trustRules(const FeatureSettings &from); // none: all is served
std::string approvalsFile(const FeatureSettings &from);         // empty only without rules
// The failure names the key.
Result<ApprovalsKeys> approvalsKeys(const FeatureSettings &from);

} // namespace skillhost::app
