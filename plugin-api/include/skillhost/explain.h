/* SPDX-License-Identifier: Apache-2.0
 * skillhost/explain.h - why a search plugin finds what it finds, and when it is done with what it
 * was given, version 1: optional, for people who look at a search. It adds nothing to plugin.h,
 * whose rules hold.
 *
 * skh_plugin.extension(self, SKH_EXPLAIN) answers with a table that is valid until exit, or NULL.
 * `skillhost search` asks; a server that answers clients never does.
 */
#ifndef SKILLHOST_EXPLAIN_H
#define SKILLHOST_EXPLAIN_H

#include <skillhost/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SKH_EXPLAIN "skh.search_explain/1"
#define SKH_EXPLAIN_MAGIC 0x4C505845u /* "EXPL" read as little endian */

typedef struct skh_explain {
  uint32_t size, magic; /* SKH_EXPLAIN_MAGIC: this is what was asked for, and nothing else */
  /* clang-format off */
  /* Why `id` scores what it does for `text`: one JSON object, of at most 256 KiB, written to `out`.
   * SKH_NOT_FOUND: no such entry. An entry that does not fit is explained too. Members that mean
   * the same everywhere, each may lack; a plugin may add others, as hybrid does "score_by_words",
   * which is what "score" would be without meaning:
   *   "score"       the number that query() ranks by, before it is made comparable over queries;
   *                 lacks where it is known of the best entries alone and this is none of them
   *   "calibrated"  of a plugin that is SKH_CALIBRATED: {"score": what query() gives, lacks where
   *                 "score" does, and what it goes by: "strength" and "coverage" of the entry,
   *                 "cosine" of the nearest one}
   *   "name"        the text asks for the entry by its name, which then comes first: "the same",
   *                 "the title", "a plural", "one letter" other
   *   "words"       the words of the text that the entry has, what adds most first:
   *                 {"word": as it is written, "stem", "fields": {"name": how often, …},
   *                 "score": what it adds to the text as a whole, "share": that as a part of 1}
   *   "missing"     the words that it does not have, as they are written
   *   "similarity"  {"runs": of letters in common, "score", "share"}
   *   "sentences"   of a text of several: [{"text", "score"}]
   *   "meaning"     {"cosine": as it counts, "whole": of the whole text, "best_sentence": {"text",
   *                 "cosine"}}
   *   "fusion"      {"words", "meaning": what each adds, "score": both}
   * [worker] */
  /* clang-format on */
  skh_status (*explain)(void *self, const skh_call *, skh_str text, skh_str id,
                        const skh_bytes *out) SKH_NOEXCEPT;
  /* Returns when nothing that was committed waits for work of the plugin's own threads, such as
   * vectors, or when none of it will be done; tells of progress meanwhile, heeds cancelled() and
   * returns SKH_DEADLINE by the deadline. Writes one line for a person that says what queries lack
   * from then on, such as "found by words alone: no model is named"; nothing when all is there.
   * NULL: commit() leaves nothing to be done. [worker] */
  skh_status (*settle)(void *self, const skh_call *, const skh_bytes *out) SKH_NOEXCEPT;
} skh_explain;
/* May a host call it? Of whatever extension() has answered. */
#define SKH_IS_EXPLAIN(table)                                                                      \
  ((table) && SKH_HAS(table, explain) && (table)->magic == SKH_EXPLAIN_MAGIC && (table)->explain)

#ifdef __cplusplus
}
#endif
#endif
