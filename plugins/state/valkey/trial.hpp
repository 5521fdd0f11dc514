// SPDX-License-Identifier: Apache-2.0
// Tries under a separate name whether the configured engine can do everything that is needed.
#pragma once

#include "engine/engine.hpp"
#include "settings.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost::valkey {

// The relevant parts of an engine's INFO.
struct EngineInfo {
  std::string version, evictionPolicy;
  bool limitsMemory = false, appendsToDisk = false;
};
EngineInfo readEngineInfo(std::string_view info);
// True for "6.2.0" and later, and for a text that is not a version.
bool isNewEnough(std::string_view version);

class Trial {
public:
  // All arguments must outlive it. `hasWarned`: the permanent conditions were already reported.
  Trial(const Settings &settings, Engine &engine, skh::Host host, std::atomic<bool> &hasWarned)
      : settings_(settings), engine_(engine), host_(host), hasWarned_(hasWarned) {}

  // Throws skh::Error: SKH_INVALID if the engine cannot do it; and as Engine::connectToAll() does.
  void run(const Limit &limit);

private:
  void checkNode(const NodePointer &node, const Limit &limit);
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
