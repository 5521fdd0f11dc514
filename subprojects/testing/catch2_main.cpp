// SPDX-License-Identifier: Apache-2.0
// The main program of Catch2 2.x, compiled once. Sources include catch2.hpp beside this file.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
