/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing is wrong with it: the others differ from it. */
#include "small_observer.h"

SMALL_OBSERVER("observer_good");
