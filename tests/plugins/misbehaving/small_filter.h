/* SPDX-License-Identifier: Apache-2.0
 * A filter in C that lets everything through. Each faulty filter changes one part of it.
 */
#ifndef SKILLHOST_TEST_SMALL_FILTER_H
#define SKILLHOST_TEST_SMALL_FILTER_H

#include <skillhost/upstream.h>

#ifndef CREATE
#define CREATE create
#endif
#ifndef LIST
#define LIST list
#endif
#ifndef READ
#define READ read_one
#endif

static const skh_upstream *upstream_of(void *self) { return (const skh_upstream *)self; }

static skh_status create(const skh_host *host, const skh_call *call, void **self) {
  static const char why[] = "this plugin is a filter";
  const skh_upstream *upstream = (const skh_upstream *)host->extension(host, SKH_UPSTREAM);
  if (!upstream) {
    call->fail(call, (skh_str){why, sizeof why - 1});
    return SKH_INVALID;
  }
  *self = (void *)upstream;
  return SKH_OK;
}

static void destroy(void *self) { (void)self; }

__attribute__((unused)) static skh_status list(void *self, const skh_call *call,
                                               const skh_documents *out) {
  return upstream_of(self)->list(upstream_of(self), call, out);
}

__attribute__((unused)) static skh_status
read_one(void *self, const skh_call *call, const skh_document *which, const skh_bytes *out) {
  return upstream_of(self)->read(upstream_of(self), call, which, out);
}

#define SMALL_FILTER(name)                                                                         \
  static const skh_source operations = {sizeof(skh_source), 0, LIST, READ, NULL};                  \
  static const skh_plugin plugin = {sizeof(skh_plugin),                                            \
                                    0,                                                             \
                                    "skh.source/1",                                                \
                                    "test.misbehaving." name,                                      \
                                    "1.0.0",                                                       \
                                    "A test fixture",                                              \
                                    "Apache-2.0",                                                  \
                                    NULL,                                                          \
                                    &operations,                                                   \
                                    CREATE,                                                        \
                                    destroy,                                                       \
                                    NULL};                                                         \
  static const skh_plugin *const plugins[] = {&plugin, NULL};                                      \
  SKH_EXPORT const skh_entry skh_plugin_entry_v1 = {SKH_MAGIC, sizeof(skh_entry), SKH_ABI_MINOR,   \
                                                    0, plugins}

#endif
