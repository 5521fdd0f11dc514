/* SPDX-License-Identifier: Apache-2.0
 * Its scores are no numbers, which have no order. The host must refuse them.
 */
#include <math.h>

#define SCORE(position) NAN
#include "small_search.h"

MISBEHAVING_SEARCH("search_nan");
