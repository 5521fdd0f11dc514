// SPDX-License-Identifier: Apache-2.0
// The timer of this folder, for deadlines of calls and for what plugins say too often.
#pragma once

#include "ground/timer.hpp"

namespace skillhost {

// Its callbacks return at once. It is never destroyed, because a lost thread may outlive main(),
// and a plugin may call until the end.
inline Timer &pluginTimer() {
  static Timer *const timer = new Timer;
  return *timer;
}

} // namespace skillhost
