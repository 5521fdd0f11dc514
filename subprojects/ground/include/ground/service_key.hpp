// SPDX-License-Identifier: Apache-2.0
// The keys that the processes of one service derive from a secret that all of them know.
#pragma once

#include "ground/blake3.hpp"
#include "ground/secret.hpp"

#include <string_view>

namespace skillhost {

// Returns the key of all that the service does with its secret.
Blake3Key keyOfService(const Secret &secret);
// Derives the key for one use of it; `use` keeps the uses apart.
Blake3Key keyOfUse(const Blake3Key &service, std::string_view use);
Blake3Key keyOfService(const Secret &secret, std::string_view use);

} // namespace skillhost
