/* SPDX-License-Identifier: Apache-2.0
 * Built without the version script: it exports a function of its own, which collides with those of
 * other plugins.
 */
#include "misbehaving.h"

SKH_EXPORT int parse(const char *text);

int parse(const char *text) { return text[0]; }

MISBEHAVING_LIFE("exports_too_much", &hello_create, &hello_destroy);
