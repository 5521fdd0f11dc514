// SPDX-License-Identifier: Apache-2.0
// Logs warnings about content that one instance of a source finds at its remote. Only one thread
// may use it.
#pragma once

#include <skillhost/plugin.hpp>

#include <set>
#include <string>

namespace skillhost::remote {

class FindingsLog {
public:
  static constexpr std::size_t maxTexts = 200; // texts

  explicit FindingsLog(skh::Host host) : host_(host) {}

  // Logs each text once, however often a refresh meets it, so that strangers cannot fill the log.
  void warn(const std::string &text) {
    if (logged_.size() >= maxTexts || !logged_.insert(text).second) return;
    host_.log(SKH_WARN, text);
    if (logged_.size() == maxTexts)
      host_.log(SKH_WARN, "further findings of this kind are not logged");
  }

private:
  skh::Host host_;
  std::set<std::string> logged_;
};

} // namespace skillhost::remote
