// SPDX-License-Identifier: Apache-2.0
// The key by which principals are hashed: 32 random bytes in a file of mode 0600 beside the
// figures. Who has the figures alone cannot find out whom a hash stands for.
#pragma once

#include "ground/blake3.hpp"
#include "ground/result.hpp"

#include <string>

namespace skillhost {

// That of PATH.key, which is made when it is not there; of several processes that make it at once
// all take the same one. OperationFailed names the file and what is wrong with it.
Result<Blake3Key> usageKey(const std::string &path);

// "h-" and 24 hexadecimal digits: the same for one principal as long as the key is kept.
std::string hashedPrincipal(const Blake3Key &key, const std::string &issuer,
                            const std::string &person);

} // namespace skillhost
