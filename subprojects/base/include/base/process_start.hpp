// SPDX-License-Identifier: Apache-2.0
// What every program of ours does before its work, skillhost-runner included.
#pragma once

namespace skillhost {

// First thing in main(), before there are threads: opens those of the standard descriptors that are
// closed, makes a file that may not grow further an error of write(), and has glibc give back the
// memory of large messages.
void prepareProcess();

} // namespace skillhost
