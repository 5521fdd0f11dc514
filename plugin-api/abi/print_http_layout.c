/* SPDX-License-Identifier: Apache-2.0
 * Prints the layout of http.h, which http-1.layout keeps frozen. Add each new field or constant
 * here by hand, with its type; tests/abi compares the lines.
 */
#include "layout.h"

#include <skillhost/http.h>

int main(void) {
  _Static_assert(sizeof(void *) == 8 && sizeof(size_t) == 8, "the frozen layouts are LP64");
  printf("# skillhost plugin kind %s, LP64\n", SKH_HTTP_KIND);
  STRUCT(skh_http_field);
  FIELD(skh_http_field, name, skh_str);
  FIELD(skh_http_field, value, skh_str);
  STRUCT(skh_route);
  FIELD(skh_route, size, uint32_t);
  FIELD(skh_route, flags, uint32_t);
  FIELD(skh_route, permission, uint32_t);
  FIELD(skh_route, field_count, uint32_t);
  FIELD(skh_route, path, skh_str);
  FIELD(skh_route, methods, skh_str);
  FIELD(skh_route, max_body, uint64_t);
  FIELD(skh_route, fields, const skh_http_field *);
  FIELD(skh_route, content, skh_str);
  STRUCT(skh_routes);
  FIELD(skh_routes, size, uint32_t);
  FIELD(skh_routes, reserved, uint32_t);
  FIELD(skh_routes, add, skh_status(*)(const skh_routes *, const skh_route *));
  STRUCT(skh_request);
  FIELD(skh_request, size, uint32_t);
  FIELD(skh_request, field_count, uint32_t);
  FIELD(skh_request, method, skh_str);
  FIELD(skh_request, path, skh_str);
  FIELD(skh_request, query, skh_str);
  FIELD(skh_request, peer, skh_str);
  FIELD(skh_request, issuer, skh_str);
  FIELD(skh_request, subject, skh_str);
  FIELD(skh_request, body_length, uint64_t);
  FIELD(skh_request, fields, const skh_http_field *);
  FIELD(skh_request, read, skh_status(*)(const skh_request *, void *, size_t, size_t *));
  STRUCT(skh_response);
  FIELD(skh_response, size, uint32_t);
  FIELD(skh_response, reserved, uint32_t);
  FIELD(skh_response, begin,
        skh_status(*)(const skh_response *, int32_t, const skh_http_field *, size_t));
  FIELD(skh_response, write, skh_status(*)(const skh_response *, const void *, size_t));
  STRUCT(skh_http);
  FIELD(skh_http, size, uint32_t);
  FIELD(skh_http, reserved, uint32_t);
  FIELD(skh_http, routes, skh_status(*)(void *, const skh_call *, const skh_routes *));
  FIELD(skh_http, handle,
        skh_status(*)(void *, const skh_call *, const skh_request *, const skh_response *));
  CONSTANT(SKH_PERMISSION_NONE);
  CONSTANT(SKH_PERMISSION_READ);
  CONSTANT(SKH_PERMISSION_MANAGE);
  CONSTANT(SKH_PERMISSION_REVIEW);
  CONSTANT(SKH_ROUTE_FOLDER);
  CONSTANT(SKH_ROUTE_CONSTANT);
  return 0;
}
