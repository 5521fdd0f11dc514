// SPDX-License-Identifier: Apache-2.0
// Reads a whole file at once.
#pragma once

#include "ground/result.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace skillhost {

// Any: also a pipe or a device, which may block the caller. Regular: never waits.
enum class FileKind : std::uint8_t { Any, Regular };

// The failure says why, without the name of the file: NotFound if it does not exist, even because a
// part of its path is no folder; TooLarge above `maxBytes` bytes; else OperationFailed. May be
// called on any thread.
Result<std::string> readFile(const std::string &path, std::size_t maxBytes, FileKind kind);
// Reads the rest of an open file from its position.
Result<std::string> readDescriptor(int descriptor, std::size_t maxBytes);

} // namespace skillhost
