// SPDX-License-Identifier: Apache-2.0
// The vectors of a collection.
#pragma once

#include "collection.hpp"
#include "hybrid/meaning.hpp"

#include <memory>

namespace skillhost::retrieval {

// Embeds all documents. `cache` is a file, or empty. Throws std::runtime_error with the reason.
std::shared_ptr<const hybrid::Meaning> embedded(const Collection &collection,
                                                const std::string &model, const std::string &cache);

} // namespace skillhost::retrieval
