/* SPDX-License-Identifier: Apache-2.0
 * A handler of /hello, which takes a body. Each faulty handler changes one part of it.
 */
#ifndef SKILLHOST_TEST_SMALL_HTTP_H
#define SKILLHOST_TEST_SMALL_HTTP_H

#include <skillhost/http.h>

#ifndef PATH
#define PATH "/hello"
#endif
#ifndef HANDLE
#define HANDLE handle
#endif
#ifndef FLAGS_OF_ROUTE
#define FLAGS_OF_ROUTE 0
#endif
#define TEXT(literal) ((skh_str){literal, sizeof(literal) - 1})

static skh_status routes(void *self, const skh_call *call, const skh_routes *out) {
  const skh_route route = {.size = sizeof route,
                           .flags = FLAGS_OF_ROUTE,
                           .path = TEXT(PATH),
                           .methods = TEXT("GET, POST"),
                           .max_body = 1000000};
  (void)self, (void)call;
#ifdef SECOND_PATH
  const skh_route second = {.size = sizeof second, .path = TEXT(SECOND_PATH)};
  const skh_status status = out->add(out, &second);
  if (status != SKH_OK) return status;
#endif
  return out->add(out, &route);
}

/* Reads the whole body, and answers. */
__attribute__((unused)) static skh_status
handle(void *self, const skh_call *call, const skh_request *request, const skh_response *response) {
  static const skh_http_field type = {{"Content-Type", 12}, {"text/plain", 10}};
  (void)self, (void)call;
  for (;;) {
    char piece[4096];
    size_t got = 0;
    const skh_status status = request->read(request, piece, sizeof piece, &got);
    if (status != SKH_OK) return status;
    if (got == 0) break;
  }
  const skh_status status = response->begin(response, 200, &type, 1);
  return status == SKH_OK ? response->write(response, "hello\n", 6) : status;
}

static skh_status create(const skh_host *host, const skh_call *call, void **self) {
  static char anything;
  (void)host, (void)call;
  *self = &anything;
  return SKH_OK;
}

static void destroy(void *self) { (void)self; }

#define SMALL_HTTP(name)                                                                           \
  static const skh_http operations = {sizeof(skh_http), 0, routes, HANDLE};                        \
  static const skh_plugin plugin = {sizeof(skh_plugin),                                            \
                                    0,                                                             \
                                    SKH_HTTP_KIND,                                                 \
                                    "test.misbehaving." name,                                      \
                                    "1.0.0",                                                       \
                                    "A test fixture",                                              \
                                    "Apache-2.0",                                                  \
                                    NULL,                                                          \
                                    &operations,                                                   \
                                    create,                                                        \
                                    destroy,                                                       \
                                    NULL};                                                         \
  static const skh_plugin *const plugins[] = {&plugin, NULL};                                      \
  SKH_EXPORT const skh_entry skh_plugin_entry_v1 = {SKH_MAGIC, sizeof(skh_entry), SKH_ABI_MINOR,   \
                                                    0, plugins}

#endif
