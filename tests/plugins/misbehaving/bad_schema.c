/* SPDX-License-Identifier: Apache-2.0
 * Its config_schema is not JSON. The host must refuse its configuration, and give the reason.
 */
#include "misbehaving.h"

MISBEHAVING("skh.source/1", "bad_schema", "{\"type\": \"object\"", &hello_source, &hello_create,
            &hello_destroy, NULL);
