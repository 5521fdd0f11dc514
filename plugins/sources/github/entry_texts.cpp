// SPDX-License-Identifier: Apache-2.0
#include "entry_texts.hpp"

#include <utility>

namespace skillhost::github {

void EntryTexts::replace(Texts texts) {
  const std::lock_guard lock(mutex_);
  texts_ = std::move(texts);
}

std::optional<std::string> EntryTexts::take(const std::string &blob) {
  const std::lock_guard lock(mutex_);
  auto taken = texts_.extract(blob);
  if (taken.empty()) return std::nullopt;
  return std::move(taken.mapped());
}

} // namespace skillhost::github
