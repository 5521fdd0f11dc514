// SPDX-License-Identifier: Apache-2.0
#include "ground/back_off.hpp"

#include <algorithm>
#include <random>

namespace skillhost {

std::chrono::milliseconds BackOff::next() {
  using std::chrono::milliseconds;
  const milliseconds wait = next_;
  next_ = std::min(next_ * 2, rules_.maxPause);
  const auto most =
      static_cast<milliseconds::rep>(static_cast<double>(wait.count()) * rules_.spread);
  if (most <= 0) return wait;
  static thread_local std::minstd_rand random{std::random_device{}()};
  return wait - milliseconds(std::uniform_int_distribution<milliseconds::rep>(0, most)(random));
}

} // namespace skillhost
