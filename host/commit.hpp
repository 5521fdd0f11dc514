// SPDX-License-Identifier: Apache-2.0
// The commit that the program was built from. Only main() uses it, so that a new commit compiles
// one small source again.
#pragma once

namespace skillhost {

// Its short name, with "-changed" where files differed from it; empty when it is not known.
const char *commitOfBuild();

} // namespace skillhost
