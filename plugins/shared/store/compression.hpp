// SPDX-License-Identifier: Apache-2.0
// Compresses with Zstandard (RFC 8878) into one frame, whose size is checked before it is expanded.
#pragma once

#include "store/buffer.hpp"

#include <string>
#include <string_view>

namespace skillhost::store {

// Throws StoreError. The same version of the library gives the same bytes.
std::string compress(std::string_view bytes);
// Throws StoreError (Corrupt) unless `compressed` is a single frame of exactly `size` bytes. The
// caller has limited `size`.
Buffer expand(std::string_view compressed, std::size_t size);

} // namespace skillhost::store
