// SPDX-License-Identifier: Apache-2.0
#include "refusal_limit.hpp"

#include <functional>

namespace skillhost {
namespace {

constexpr std::size_t mostAddresses = 1'024;
constexpr std::string_view others = "others";

} // namespace

bool RefusalLimit::tell(std::string_view address, Moment now) {
  if (counts_.empty()) begin_ = now;
  auto found = counts_.find(address);
  if (found == counts_.end())
    found =
        counts_.try_emplace(std::string(counts_.size() < mostAddresses ? address : others)).first;
  return ++found->second <= each_;
}

RefusalLimit::Counts RefusalLimit::take(Moment now) {
  Counts untold;
  if (counts_.empty() || now < end()) return untold;
  for (const auto &[address, count] : counts_)
    if (count > each_) untold.emplace_back(address, count - each_);
  counts_.clear();
  return untold;
}

} // namespace skillhost
