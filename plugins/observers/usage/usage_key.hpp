// SPDX-License-Identifier: Apache-2.0
// The key of the hashes of principals: 32 random bytes in a file of mode 0600 beside the figures.
// With the figures alone, nobody can find out whom a hash stands for.
#pragma once

#include "ground/blake3.hpp"
#include "ground/result.hpp"

#include <string>

namespace skillhost {

// Returns the key in PATH.key, which is created if it does not exist; if several processes create
// it at once, all use the same key. The OperationFailed failure names the file and its error.
Result<Blake3Key> usageKey(const std::string &path);

// Returns "h-" and 24 hexadecimal digits, which are the same for one principal as long as the key
// is kept.
std::string hashedPrincipal(const Blake3Key &key, const std::string &issuer,
                            const std::string &person);

} // namespace skillhost
