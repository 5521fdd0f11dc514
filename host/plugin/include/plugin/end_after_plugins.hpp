// SPDX-License-Identifier: Apache-2.0
// The end of a process that had plugins.
#pragma once

namespace skillhost {

// The last call of a process that had plugins: `code`, to be returned from main(), unless exit()
// would destroy what a lost thread still uses, or run what a plugin of others has registered. Then
// it ends the process with that code.
int endAfterPlugins(int code);

} // namespace skillhost
