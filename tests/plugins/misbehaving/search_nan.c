/* SPDX-License-Identifier: Apache-2.0
 * Scores that are no numbers, which no order can be made of. The host must refuse them.
 */
#include <math.h>

#define SCORE(position) NAN
#include "small_search.h"

MISBEHAVING_SEARCH("search_nan");
