/* SPDX-License-Identifier: Apache-2.0
 * The documents that this plugin serves, which are compiled in.
 */
#ifndef DOCUMENTS_H
#define DOCUMENTS_H

#include <stddef.h>

struct document {
  const char *skill; /* the folder the skill would have */
  const char *path;  /* within it */
  const char *text;
};

extern const struct document documents[];
extern const size_t document_count;

#endif
