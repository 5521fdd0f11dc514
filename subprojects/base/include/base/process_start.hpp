// SPDX-License-Identifier: Apache-2.0
// The common start of all our programs, including skillhost-runner.
#pragma once

namespace skillhost {

// Call it first in main(), before there are threads. It opens closed standard descriptors, turns a
// file that may not grow into an error of write(), and lets glibc release the memory of large
// messages.
void prepareProcess();

} // namespace skillhost
