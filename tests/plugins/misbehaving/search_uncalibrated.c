/* SPDX-License-Identifier: Apache-2.0
 * Declares that its scores lie between 0 and 1, and gives others.
 */
#define SCORE(position) 1.5
#define FLAGS SKH_CALIBRATED
#include "small_search.h"

MISBEHAVING_SEARCH("search_uncalibrated");
