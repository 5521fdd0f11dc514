// SPDX-License-Identifier: Apache-2.0
// The timer of this folder: deadlines of calls, and what plugins say too often.
#pragma once

#include "ground/timer.hpp"

namespace skillhost {

// Its callbacks return at once. Never destroyed: a lost thread may outlive main(), and a plugin may
// call until the end.
inline Timer &pluginTimer() {
  static Timer *const timer = new Timer;
  return *timer;
}

} // namespace skillhost
