// SPDX-License-Identifier: Apache-2.0
// What is recorded of use, where, and for how long.
#pragma once

#include "ground/blake3.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace skillhost {

struct UsageSettings {
  // How a principal stands in the file: as a hash by a key, by name, or not.
  enum class Principals : std::uint8_t { Hashed, Names, None };

  std::string path; // absolute, of the SQLite file; its folder is made
  std::size_t keepDays = 90;
  std::size_t maxBytes = 256U << 20U; // of the file; its log beside it has a few MiB more
  Principals principals = Principals::Hashed;
  // By which principals are hashed; none: one that is kept beside the file.
  std::optional<Blake3Key> key;
  bool queries = true; // whether what was asked for and not found is kept as text
};

} // namespace skillhost
