/* SPDX-License-Identifier: Apache-2.0
 * Says that its scores are from 0 to 1, and gives others.
 */
#define SCORE(position) 1.5
#define FLAGS SKH_CALIBRATED
#include "small_search.h"

MISBEHAVING_SEARCH("search_uncalibrated");
