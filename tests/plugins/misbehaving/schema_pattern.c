/* SPDX-License-Identifier: Apache-2.0
 * Its config_schema has a pattern that is no regular expression. The host refuses every
 * configuration that it compares with that, and gives the reason.
 */
#include "misbehaving.h"

MISBEHAVING("skh.source/1", "schema_pattern", "{\"properties\": {\"url\": {\"pattern\": \"[a-\"}}}",
            &hello_source, &hello_create, &hello_destroy, NULL);
