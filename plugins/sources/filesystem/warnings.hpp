// SPDX-License-Identifier: Apache-2.0
// Lines that are logged once, however often a scan meets their cause; most of them are warnings.
// Any thread.
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

  // Logs "<path>: <reason>" unless it did before. After 1,000 different ones it says so and stops.
  void once(std::string_view path, std::string_view reason, std::int32_t level = SKH_WARN);
  // True if these hidden folders of the directory are others than the last time, so that it is time
  // to look into them.
  bool isNews(const std::string &directory, const std::vector<std::string> &hidden);
  // The trouble with `path` is over: what comes next is logged again.
  void over(std::string_view path);

private:
  skh::Host host_;
  std::mutex mutex_;
  std::set<std::string, std::less<>> given_;
  std::map<std::string, std::vector<std::string>> hidden_;
};

} // namespace skillhost::filesystem
