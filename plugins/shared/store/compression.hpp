// SPDX-License-Identifier: Apache-2.0
// Zstandard (RFC 8878), one frame whose size is known before a byte of it is expanded.
#pragma once

#include "store/buffer.hpp"

#include <string>
#include <string_view>

namespace skillhost::store {

// Throws StoreError. The same bytes for the same version of the library.
std::string compress(std::string_view bytes);
// Throws StoreError (Corrupt) when it is no single frame of exactly `size` bytes. The caller has
// held `size` to a limit.
Buffer expand(std::string_view compressed, std::size_t size);

} // namespace skillhost::store
