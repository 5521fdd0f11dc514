/* SPDX-License-Identifier: Apache-2.0
 * Gives all hits, whatever the limit. The host keeps no more than it asked for.
 */
#define LIMIT(limit) ((limit) + 1000)
#include "small_search.h"

MISBEHAVING_SEARCH("search_over_limit");
