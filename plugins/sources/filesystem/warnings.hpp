// SPDX-License-Identifier: Apache-2.0
// Logs each line once, however often scans meet its cause; most lines are warnings. Any thread may
// use it.
#pragma once

#include <skillhost/plugin.hpp>

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace skillhost::filesystem {

class Warnings {
public:
  explicit Warnings(skh::Host host) : host_(host) {}

  // Logs "<path>: <reason>" unless it was logged before. After 1,000 different lines it says so and
  // stops.
  void warnOnce(std::string_view path, std::string_view reason, std::int32_t level = SKH_WARN);
  // True if the hidden folders of the directory have changed since the last call, so that they
  // should be searched.
  bool hasHiddenChanged(const std::string &directory, const std::vector<std::string> &hidden);
  // The trouble with `path` has ended, so later trouble is logged again.
  void clearWarning(std::string_view path);

private:
  skh::Host host_;
  std::mutex mutex_;
  std::set<std::string, std::less<>> logged_;
  std::map<std::string, std::vector<std::string>> hidden_;
};

} // namespace skillhost::filesystem
