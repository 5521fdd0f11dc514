// SPDX-License-Identifier: Apache-2.0
// Includes Catch2 by the header of this machine's version: 3.x or 2.13.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
