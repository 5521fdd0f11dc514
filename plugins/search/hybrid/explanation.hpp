// SPDX-License-Identifier: Apache-2.0
// Why one entry is found by words and by meaning, for a person who wonders.
#pragma once

#include "fusion.hpp"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <optional>
#include <string_view>

namespace skillhost::hybrid {

// In the words of skillhost/explain.h; by words alone while `meaning` is null or has no model.
// Nothing when there is no such entry. Throws what `checkpoint` does.
std::optional<nlohmann::json> explained(const keyword::Index &words, const Meaning *meaning,
                                        const FusionOptions &options, std::string_view text,
                                        std::string_view id,
                                        const std::function<void()> &checkpoint);

} // namespace skillhost::hybrid
