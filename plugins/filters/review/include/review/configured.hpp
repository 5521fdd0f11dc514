// SPDX-License-Identifier: Apache-2.0
// Reads the section `trust` of the configuration.
#pragma once

#include "ground/result.hpp"
#include "review/approvals_signature.hpp"
#include "review/trust_rule.hpp"
#include "settings/feature_settings.hpp"

#include <string>
#include <vector>

namespace skillhost::app {

std::vector<TrustRule>
trustRules(const settings::FeatureSettings &from);                // none: everything is served
std::string approvalsFile(const settings::FeatureSettings &from); // empty only without rules
// Returns the keys with which approvals must be signed. The failure names the key of the
// configuration.
Result<ApprovalsKeys> approvalsKeys(const settings::FeatureSettings &from);

} // namespace skillhost::app
