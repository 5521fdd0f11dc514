/* SPDX-License-Identifier: Apache-2.0
 * Gives hits of equal scores in the wrong order.
 */
#define ORDER (-1)
#include "small_search.h"

MISBEHAVING_SEARCH("search_unordered_ties");
