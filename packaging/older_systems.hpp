// SPDX-License-Identifier: Apache-2.0
// Packages include this file before every C++ source, so that they also run with the C++ library of
// GCC 11, which RHEL 9 has. GCC 12 gave this function a new version, because a cancelled thread may
// now leave it; skillhost cancels none. It is the only function of GCC 12 that skillhost calls.
__asm__(".symver _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE,"
        "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE@GLIBCXX_3.4.11");
