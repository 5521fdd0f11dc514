// SPDX-License-Identifier: Apache-2.0
// Whether what is configured can do all that is asked of it: tried, under a name of its own.
#pragma once

#include "engine/engine.hpp"
#include "settings.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost::valkey {

// What an engine says of itself (INFO), as far as it matters here.
struct About {
  std::string version, evictionPolicy;
  bool limitsMemory = false, appendsToDisk = false;
};
About readAbout(std::string_view info);
// "6.2.0" and later; true too for what is no version.
bool isNewEnough(std::string_view version);

class Trial {
public:
  // All must outlive it. `hasWarned`: of what does not change while the instance lives.
  Trial(const Settings &settings, Engine &engine, skh::Host host, std::atomic<bool> &hasWarned)
      : settings_(settings), engine_(engine), host_(host), hasWarned_(hasWarned) {}

  // Throws skh::Error: SKH_INVALID, when it cannot; and as Engine::reachAll().
  void run(const Limit &limit);

private:
  void lookAt(const NodePointer &node, const Limit &limit);
  void tryCommands(const Limit &limit);
  void tryListening(const std::string &channel, const Limit &limit);
  Reply require(std::string_view key, std::string_view command, const char *what,
                const Limit &limit);

  const Settings &settings_;
  Engine &engine_;
  const skh::Host host_;
  std::atomic<bool> &hasWarned_;
};

} // namespace skillhost::valkey
