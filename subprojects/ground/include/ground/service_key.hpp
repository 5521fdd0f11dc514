// SPDX-License-Identifier: Apache-2.0
// Derives keys from the secret that all processes of one service know.
#pragma once

#include "ground/blake3.hpp"
#include "ground/secret.hpp"

#include <string_view>

namespace skillhost {

// Returns the key from which all other keys of the service are derived.
Blake3Key keyOfService(const Secret &secret);
// Derive the key for one use. Different uses have different keys.
Blake3Key keyOfUse(const Blake3Key &service, std::string_view use);
Blake3Key keyOfService(const Secret &secret, std::string_view use);

} // namespace skillhost
