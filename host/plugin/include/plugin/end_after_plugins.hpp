// SPDX-License-Identifier: Apache-2.0
// Ends a process that had plugins.
#pragma once

namespace skillhost {

// Must be the last call of a process that had plugins. Returns `code`, which main() returns, unless
// exit() would destroy what a lost thread still uses, or run what a plugin of others has
// registered. In that case it ends the process with that code.
int endAfterPlugins(int code);

} // namespace skillhost
