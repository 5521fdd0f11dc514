/* SPDX-License-Identifier: Apache-2.0
 * skillhost/explain.h - lets a search plugin explain its results, and report when it has finished
 * processing its entries. Version 1: optional, for people who examine a search. It adds nothing to
 * plugin.h, whose rules apply.
 *
 * skh_plugin.extension(self, SKH_EXPLAIN) returns a table that is valid until exit, or NULL.
 * `skillhost search` uses it; a server that answers clients never does.
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
  uint32_t size, magic; /* SKH_EXPLAIN_MAGIC proves that this is the requested table */
  /* clang-format off */
  /* Explains the score of the entry `id` for `text`: writes one JSON object of at most 256 KiB to
   * `out`. Returns SKH_NOT_FOUND if there is no such entry. An entry that does not fit the text is
   * explained as well. The following members have the same meaning for every plugin, and each may
   * be missing. A plugin may add others: hybrid adds "score_by_words", the value that "score" would
   * have without meaning:
   *   "score"       the number by which query() ranks, before it is made comparable between
   *                 queries; missing if it is only known for the best entries and this is not one
   *   "calibrated"  only if the plugin is SKH_CALIBRATED: {"score": the score of query(), missing
   *                 if "score" is, and its basis: "strength" and "coverage" of the entry, "cosine"
   *                 of the nearest entry}
   *   "name"        the text asks for the entry by name, so it comes first; the match is "the same",
   *                 "the title", "a plural" or "one letter" different
   *   "words"       the words of the text that the entry contains, greatest score first:
   *                 {"word": as written in the text, "stem", "fields": {"name": occurrences, …},
   *                 "field_scores": {"name": the part of this field in "score", …},
   *                 "score": its part of the score of the whole text, "share": the same as a
   *                 fraction of 1}
   *   "missing"     the words that the entry does not contain, as written in the text
   *   "similarity"  {"runs": number of runs of letters in common, "score", "share"}
   *   "sentences"   only for a text of several sentences: [{"text", "score"}]
   *   "meaning"     {"cosine": the value that counts, "whole": that of the whole text,
   *                 "best_sentence": {"text", "cosine"}}
   *   "fusion"      {"words", "meaning": the part of each in the score, "score": their sum}
   * [worker] */
  /* clang-format on */
  skh_status (*explain)(void *self, const skh_call *, skh_str text, skh_str id,
                        const skh_bytes *out) SKH_NOEXCEPT;
  /* Returns when the plugin's threads have finished the work for all committed entries, such as
   * vectors, or when part of that work will never be done. Meanwhile it reports progress, obeys
   * cancelled() and returns SKH_DEADLINE by the deadline. It writes one line for a person that says
   * what queries lack from now on, such as "found by words alone: no model is named", or nothing if
   * they lack nothing. NULL if commit() leaves no work. [worker] */
  skh_status (*settle)(void *self, const skh_call *, const skh_bytes *out) SKH_NOEXCEPT;
} skh_explain;
/* True if a host may call the table that extension() has returned. */
#define SKH_IS_EXPLAIN(table)                                                                      \
  ((table) && SKH_HAS(table, explain) && (table)->magic == SKH_EXPLAIN_MAGIC && (table)->explain)

#ifdef __cplusplus
}
#endif
#endif
