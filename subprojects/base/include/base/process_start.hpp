// SPDX-License-Identifier: Apache-2.0
// Every program of ours, skillhost-runner included, begins with this.
#pragma once

namespace skillhost {

// Call it first in main(), before there are threads. It opens those of the standard descriptors
// that are closed, makes a file that may not grow further an error of write(), and has glibc give
// back the memory of large messages.
void prepareProcess();

} // namespace skillhost
