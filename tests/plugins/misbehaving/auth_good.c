/* SPDX-License-Identifier: Apache-2.0
 * A plugin without a fault; it shows that the other auth fixtures have one fault each.
 */
#include "small_auth.h"

MISBEHAVING_AUTH("auth_good", 0, &small_check, &small_validate, &hello_create);
