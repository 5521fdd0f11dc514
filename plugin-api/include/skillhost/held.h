/* SPDX-License-Identifier: Apache-2.0
 * skillhost/held.h - what a search plugin still holds of an earlier life, version 1: optional, for
 * search plugins that keep their index in the cache folder. It adds nothing to plugin.h, whose
 * rules hold.
 *
 * skh_plugin.extension(self, SKH_HELD) answers with a table that is valid until exit, or NULL. A
 * host that does not know it puts every entry again, as it does when the list is not to be had.
 */
#ifndef SKILLHOST_HELD_H
#define SKILLHOST_HELD_H

#include <skillhost/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SKH_HELD "skh.search_held/1"
#define SKH_HELD_MAGIC 0x444C4548u /* "HELD" read as little endian */

typedef struct skh_held_entries skh_held_entries;
struct skh_held_entries {
  uint32_t size, reserved;
  /* In any order, each id once, both as put() was told them. */
  skh_status (*add)(const skh_held_entries *, skh_str id, skh_str revision) SKH_NOEXCEPT;
};

typedef struct skh_held {
  uint32_t size, magic; /* SKH_HELD_MAGIC: this is what was asked for, and nothing else */
  /* Every entry that the last commit made visible, with the revision it was put with: those, and no
   * others, that query() may find now. Asked for when generation() is not empty, before the first
   * put() and whenever the host is not sure of the index any more. The host then puts only what
   * differs and removes what is gone, so what is named here must be there as a whole. At most a
   * million entries, all together 256 MiB; a list that repeats an id, has an empty one, or one or a
   * revision of more than 4,096 bytes is void. SKH_UNSUPPORTED: put everything again. [worker] */
  skh_status (*held)(void *self, const skh_call *, const skh_held_entries *out) SKH_NOEXCEPT;
} skh_held;
/* May a host call it? Of whatever extension() has answered. */
#define SKH_IS_HELD(table)                                                                         \
  ((table) && SKH_HAS(table, held) && (table)->magic == SKH_HELD_MAGIC && (table)->held)

#ifdef __cplusplus
}
#endif
#endif
