// SPDX-License-Identifier: Apache-2.0
// Explains to a person why words and meaning find one entry.
#pragma once

#include "fusion.hpp"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <optional>
#include <string_view>

namespace skillhost::hybrid {

// Writes the explanation in the terms of skillhost/explain.h; only by words while `meaning` is null
// or has no model. Returns nothing if there is no such entry. Throws what `checkpoint` throws.
std::optional<nlohmann::json> explained(const keyword::Index &words, const Meaning *meaning,
                                        const FusionOptions &options, std::string_view text,
                                        std::string_view id,
                                        const std::function<void()> &checkpoint);

} // namespace skillhost::hybrid
