/* SPDX-License-Identifier: Apache-2.0
 * Hits of equal scores come in the wrong order.
 */
#define ORDER (-1)
#include "small_search.h"

MISBEHAVING_SEARCH("search_unordered_ties");
