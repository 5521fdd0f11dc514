// SPDX-License-Identifier: Apache-2.0
#include "warnings.hpp"

#include "paths/names.hpp"

namespace skillhost::filesystem {

void Warnings::warnOnce(std::string_view path, std::string_view reason, std::int32_t level) {
  constexpr std::size_t most = 1'000;
  const std::string text = paths::printable(path).append(": ").append(reason);
  const std::scoped_lock lock(mutex_);
  if (logged_.size() >= most || !logged_.insert(text).second) return;
  host_.log(level, text);
  if (logged_.size() == most) host_.log(SKH_WARN, "further warnings of this source are not logged");
}

bool Warnings::hasHiddenChanged(const std::string &directory,
                                const std::vector<std::string> &hidden) {
  const std::scoped_lock lock(mutex_);
  std::vector<std::string> &known = hidden_[directory];
  if (known == hidden) return false;
  known = hidden;
  return true;
}

void Warnings::clearWarning(std::string_view path) {
  const std::string start = paths::printable(path).append(": ");
  const std::scoped_lock lock(mutex_);
  auto found = logged_.lower_bound(start);
  while (found != logged_.end() && found->starts_with(start)) found = logged_.erase(found);
}

} // namespace skillhost::filesystem
