/* SPDX-License-Identifier: Apache-2.0
 * Gives every hit twice. The host must show each of them once.
 */
#define TIMES 2
#include "small_search.h"

MISBEHAVING_SEARCH("search_duplicates");
