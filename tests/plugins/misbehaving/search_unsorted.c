/* SPDX-License-Identifier: Apache-2.0
 * Gives the worst hit first. The host must not depend on the order.
 */
#define SCORE(position) ((double)(position))
#include "small_search.h"

MISBEHAVING_SEARCH("search_unsorted");
