/* SPDX-License-Identifier: Apache-2.0
 * Declares that it needs a network, and check() succeeds without one: it has asked nobody.
 */
#include "small_auth.h"

MISBEHAVING_AUTH("auth_checks_nothing", SKH_NETWORK, &small_check, &small_validate, &hello_create);
