/* SPDX-License-Identifier: Apache-2.0
 * skillhost/http.h - the kind "skh.http/1": a plugin that answers HTTP requests for paths of its
 * own, beside MCP. Version 1 of the kind, for every host that knows it.
 *
 * Experimental: until two plugins that skillhost ships use this kind, a later skillhost may replace
 * it by a kind with another id. Your plugin is then not loaded, and the log says so.
 *
 * The rules of <skillhost/plugin.h> hold here too: memory never changes owner, nothing unwinds,
 * structs only grow, strings have a length. Strings of a request are as the client has sent them,
 * so they need not be UTF-8. A plugin of this kind sets `kind` to SKH_HTTP_KIND and `ops` to an
 * skh_http.
 *
 * Before a call, the host checks the Host and Origin fields, the method, the caller's credential
 * and permission, and the declared length of the body. It refuses a request that fails a check, and
 * the plugin does not see it. The host serves plugins of this kind over HTTP only, not on stdio.
 *
 * Answers: the host sends an answer when handle() has returned SKH_OK, so an answer is sent whole
 * or not at all. If handle() returns another status, the client receives the status 400
 * (SKH_INVALID), 403 (SKH_DENIED), 404 (SKH_NOT_FOUND), 413 (SKH_TOO_LARGE), 503 (SKH_UNAVAILABLE),
 * 504 (SKH_DEADLINE, or no result by the deadline) or 500 (any other), with a text of the host; and
 * 408 if the body of the request is late. The message of fail() is logged, and the client does not
 * receive it. A status of 500 or above is a failure of the plugin, which operators see.
 *
 * The deadline is 10 seconds for GET and 30 seconds for other methods, unless the host is
 * configured otherwise (deadlines.query_ms, deadlines.mutation_ms).
 */
#ifndef SKILLHOST_HTTP_H
#define SKILLHOST_HTTP_H

#include <skillhost/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SKH_HTTP_KIND "skh.http/1"

/* skh_route.permission: what a caller needs. With SKH_PERMISSION_NONE anybody may send requests,
 * and nobody is identified. If the server has no auth plugin, every caller has the permissions to
 * read and to manage. */
enum {
  SKH_PERMISSION_NONE = 0,
  SKH_PERMISSION_READ = 1,
  SKH_PERMISSION_MANAGE = 2,
  SKH_PERMISSION_REVIEW = 3
};

enum {
  SKH_ROUTE_FOLDER =
      1u << 0, /* every path that begins with skh_route.path, which ends with a '/' */
  SKH_ROUTE_CONSTANT = 1u << 1 /* the host answers with skh_route.content, without a call */
};

/* A field of a request or an answer. */
typedef struct skh_http_field {
  skh_str name, value;
} skh_http_field;

typedef struct skh_route {
  uint32_t size, flags; /* SKH_ROUTE_* */
  uint32_t permission;  /* SKH_PERMISSION_* */
  uint32_t field_count; /* number of `fields` */
  /* Path of the requests, or the beginning of their paths: begins with a '/', has at most 200
   * visible ASCII characters, and neither '?' nor '#'. Paths are compared as sent. */
  skh_str path;
  /* Methods in upper case, separated by ", ", such as "GET, POST". The host adds HEAD to GET: it
   * calls handle() with the method GET, and sends the head of the answer only. The host answers
   * every other method with 405, but a POST, PUT or PATCH that does not declare its body with 411.
   * Empty: "GET". A constant has no methods but GET and HEAD. */
  skh_str methods;
  /* Longest body of a request in bytes, at most 16 MiB. The host may have a lower limit. A longer
   * body is refused with 413. 0: requests have no body. */
  uint64_t max_body;
  /* The answer of a constant: its fields (rules as for skh_response.begin) and its content of at
   * most 4 MiB. The host makes the ETag of the content, and answers 304 if the client has it. */
  const skh_http_field *fields;
  skh_str content;
} skh_route;

/* Receives the routes. Valid as long as the call. */
typedef struct skh_routes skh_routes;
struct skh_routes {
  uint32_t size, reserved;
  /* Copies the route. Returns SKH_INVALID if it breaks a rule, SKH_TOO_LARGE after 256 routes or
   * 32 MiB of contents, and SKH_CANCELLED if the call was given up; return the same status then. */
  skh_status (*add)(const skh_routes *, const skh_route *) SKH_NOEXCEPT;
};

/* skh_request.body_length if the client has not declared a length. */
#define SKH_UNKNOWN_LENGTH UINT64_MAX

/* A request. Valid as long as the call. One thread at a time may call read(). */
typedef struct skh_request skh_request;
struct skh_request {
  uint32_t size, field_count; /* number of `fields` */
  skh_str method;             /* one of the route's: GET also for a HEAD */
  skh_str path, query;        /* the target before and after its first '?', percent-encoded */
  skh_str peer;               /* address of the client: "192.0.2.1:4711", "[2001:db8::1]:4711" */
  skh_str issuer, subject;    /* the caller; both empty: nobody is identified */
  uint64_t body_length;       /* declared length of the body, or SKH_UNKNOWN_LENGTH */
  /* Fields in the order in which they were sent, with names in lower case. The fields
   * Authorization, Cookie and Proxy-Authorization, and those that the auth plugin reads, are left
   * out. */
  const skh_http_field *fields;
  /* Waits for the next bytes of the body and copies at most `room` of them to `buffer`. Sets `got`
   * to their number; 0: the body has ended. `room` must not be 0: SKH_INVALID is returned. Returns
   * SKH_CANCELLED if the rest of the body does not arrive (it is too long, or the client has gone)
   * or the call was given up. Returns SKH_DEADLINE half a second before the deadline, or in the
   * last quarter of a call of less than two seconds. Return the same status then. A handler need
   * not read all of the body. */
  skh_status (*read)(const skh_request *, void *buffer, size_t room, size_t *got) SKH_NOEXCEPT;
};

/* Receives the answer. Valid as long as the call. */
typedef struct skh_response skh_response;
struct skh_response {
  uint32_t size, reserved;
  /* Begins the answer, once, before write(): a status from 200 to 599, and at most 64 fields of
   * together 16 KiB, such as Content-Type. Names are tokens (RFC 9110 section 5.6.2) and values
   * have no control characters. These fields are the host's own and must not be given:
   * Content-Length, Date, and the fields of one connection (Connection, Keep-Alive,
   * Proxy-Connection, TE, Trailer, Transfer-Encoding, Upgrade). Returns SKH_INVALID if a rule is
   * broken (the client then receives the status 500), and SKH_CANCELLED if nobody waits for the
   * answer any more; return the same status then. The host adds X-Content-Type-Options: nosniff
   * unless the field is given. */
  skh_status (*begin)(const skh_response *, int32_t status, const skh_http_field *fields,
                      size_t field_count) SKH_NOEXCEPT;
  /* Appends to the body, which has at most 8 MiB, and is empty for the statuses 204, 205 and 304.
   * Returns SKH_TOO_LARGE if that is too much, SKH_INVALID before begin(), and SKH_CANCELLED if
   * nobody waits for the answer any more; return the same status then. */
  skh_status (*write)(const skh_response *, const void *data, size_t size) SKH_NOEXCEPT;
};

typedef struct skh_http {
  uint32_t size, reserved;
  /* Gives all routes. The host calls it once, after create(). A path belongs to one route: a route
   * is refused if another route of this plugin, another plugin or the server itself has claimed its
   * path or, for a folder, a path in it. Then none of the plugin's routes is served. The server
   * itself claims the path of MCP, /healthz, /readyz, and
   * /.well-known/oauth-protected-resource with all below it. [worker] */
  skh_status (*routes)(void *self, const skh_call *, const skh_routes *out) SKH_NOEXCEPT;
  /* Answers a request for a route that is no constant. The call begins when the first 64 KiB of
   * the body, or all of it, have arrived. NULL if all routes are constants. [worker] */
  skh_status (*handle)(void *self, const skh_call *, const skh_request *,
                       const skh_response *) SKH_NOEXCEPT;
} skh_http;

#ifdef __cplusplus
}
#endif
#endif
