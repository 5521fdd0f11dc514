/* SPDX-License-Identifier: Apache-2.0
 * skillhost/held.h - lets a search plugin list the entries that it still holds from an earlier run.
 * Version 1: optional, for search plugins that keep their index in the cache folder. It adds
 * nothing to plugin.h, whose rules apply.
 *
 * skh_plugin.extension(self, SKH_HELD) returns a table that is valid until exit, or NULL. A host
 * that does not support it puts every entry again, and so does one that cannot get the list.
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
  /* Takes entries in any order, each id once, with id and revision as given to put(). */
  skh_status (*add)(const skh_held_entries *, skh_str id, skh_str revision) SKH_NOEXCEPT;
};

typedef struct skh_held {
  uint32_t size, magic; /* SKH_HELD_MAGIC proves that this is the requested table */
  /* Lists every entry that the last commit made visible, with the revision given to put(). These
   * must be exactly the entries that query() can find now. The host calls it if generation() is not
   * empty, before the first put() and whenever it is no longer sure of the index. It then only puts
   * entries that differ and removes those that are gone, so every listed entry must be complete. At
   * most a million entries, and 256 MiB together. A list is invalid if it repeats an id, or has an
   * empty id, or an id or revision of more than 4,096 bytes. Returns SKH_UNSUPPORTED if the host
   * must put everything again. [worker] */
  skh_status (*held)(void *self, const skh_call *, const skh_held_entries *out) SKH_NOEXCEPT;
} skh_held;
/* True if a host may call the table that extension() has returned. */
#define SKH_IS_HELD(table)                                                                         \
  ((table) && SKH_HAS(table, held) && (table)->magic == SKH_HELD_MAGIC && (table)->held)

#ifdef __cplusplus
}
#endif
#endif
