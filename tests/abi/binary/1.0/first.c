/* SPDX-License-Identifier: Apache-2.0
 * A source of one skill, as it was written for plugin API 1.0. Never to be changed, nor built
 * again: first.so beside it stands for all that is out there and still has to load.
 */
#include <skillhost/plugin.h>

#include <string.h>

static const char text[] =
    "---\n"
    "name: first\n"
    "description: Built against plugin API 1.0. Use when old binaries load.\n"
    "---\n"
    "# First\n\nStill here.\n";

static skh_str borrowed(const char *literal) {
  const skh_str view = {literal, strlen(literal)};
  return view;
}

static int same(skh_str left, const char *right) {
  return left.size == strlen(right) && memcmp(left.data, right, left.size) == 0;
}

static skh_status list(void *self, const skh_call *call, const skh_documents *out) {
  skh_document entry = {sizeof entry, SKH_DOC_ENTRY, {0}, {0}, {0}, sizeof text - 1, {0}};
  skh_status status;
  (void)self;
  if (call->cancelled(call)) return SKH_CANCELLED;
  entry.skill = borrowed("first");
  entry.path = borrowed("SKILL.md");
  entry.revision = borrowed("1");
  status = out->add(out, &entry);
  return status < 0 ? status : out->done(out, borrowed("1"));
}

static skh_status read_document(void *self, const skh_call *call, const skh_document *which,
                                const skh_bytes *out) {
  (void)self;
  if (call->cancelled(call)) return SKH_CANCELLED;
  if (!same(which->skill, "first") || !same(which->path, "SKILL.md")) {
    call->fail(call, borrowed("no such document"));
    return SKH_NOT_FOUND;
  }
  return same(which->revision, "1") ? out->write(out, text, sizeof text - 1) : SKH_STALE;
}

static skh_status changes(void *self, const skh_call *call, skh_str since,
                          const skh_documents *out) {
  (void)self;
  (void)call;
  return same(since, "1") ? out->done(out, since) : SKH_STALE;
}

static skh_status create(const skh_host *host, const skh_call *call, void **self) {
  static char instance;
  (void)call;
  host->log(host, SKH_INFO, borrowed("first is ready"));
  *self = &instance;
  return SKH_OK;
}

static void destroy(void *self) { (void)self; }

static const skh_source operations = {sizeof(skh_source), 0, &list, &read_document, &changes};
static const skh_plugin plugin = {sizeof(skh_plugin),
                                  0,
                                  "skh.source/1",
                                  "org.skillhost.test.first",
                                  "1.0.0",
                                  "One skill, built against plugin API 1.0",
                                  "Apache-2.0",
                                  "{\"type\": \"object\", \"additionalProperties\": false}",
                                  &operations,
                                  &create,
                                  &destroy,
                                  NULL};
static const skh_plugin *const plugins[] = {&plugin, NULL};
const skh_entry skh_plugin_entry_v1 = {SKH_MAGIC, sizeof(skh_entry), SKH_ABI_MINOR, 0, plugins};
