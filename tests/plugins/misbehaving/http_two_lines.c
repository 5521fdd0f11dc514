/* SPDX-License-Identifier: Apache-2.0 */
/* This handler writes a field whose value has two lines, and ignores that it is refused. */
#define HANDLE two_lines
#include "small_http.h"

static skh_status two_lines(void *self, const skh_call *call, const skh_request *request,
                            const skh_response *response) {
  static const skh_http_field field = {{"X-Text", 6}, {"one\r\nX-Two: 2", 13}};
  (void)response->begin(response, 200, &field, 1);
  return handle(self, call, request, response);
}

SMALL_HTTP("http_two_lines");
