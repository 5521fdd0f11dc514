/* SPDX-License-Identifier: Apache-2.0
 * A plugin without a fault; it shows that the other search fixtures have one fault each.
 */
#include "small_search.h"

MISBEHAVING_SEARCH("search_good");
