// SPDX-License-Identifier: Apache-2.0
// Settings of the usage figures: what is recorded, where, and for how long.
#pragma once

#include "ground/blake3.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace skillhost {

struct UsageSettings {
  // The form of a principal in the file: a keyed hash, a name, or nothing.
  enum class Principals : std::uint8_t { Hashed, Names, None };

  std::string path; // absolute path of the SQLite file; its folder is created
  std::size_t keepDays = 90;
  std::size_t maxBytes = 256U << 20U; // of the file; its log beside it may have a few MiB more
  Principals principals = Principals::Hashed;
  // The key of the hashes of principals; none: a key is kept beside the file.
  std::optional<Blake3Key> key;
  bool queries = true; // true: the text of a search that found nothing is kept
};

} // namespace skillhost
