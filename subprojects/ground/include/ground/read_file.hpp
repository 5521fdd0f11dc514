// SPDX-License-Identifier: Apache-2.0
// All of a file at once.
#pragma once

#include "ground/result.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace skillhost {

// Any: a pipe or a device too, which may keep the caller waiting. Regular: never waits.
enum class FileKind : std::uint8_t { Any, Regular };

// The failure says why, and not of which file: NotFound when there is none, also because a part of
// its path is no folder, TooLarge above `most` bytes, else OperationFailed. Any thread.
Result<std::string> readFile(const std::string &path, std::size_t most, FileKind kind);
// The same of an open file, from where it stands.
Result<std::string> readDescriptor(int descriptor, std::size_t most);

} // namespace skillhost
