/* SPDX-License-Identifier: Apache-2.0
 * skillhost/tools.h - the kind "skh.tools/1": a plugin's own tools, prompts and resources, beside
 * those that the host makes of its skills. Version 1 of the kind, for every host that knows it.
 *
 * The rules of <skillhost/plugin.h> apply here too: memory never changes owner, nothing unwinds,
 * structs only grow, strings are UTF-8 with a length. The terms are those of the Model Context
 * Protocol (MCP): each `_json` is one JSON text (RFC 8259) of the type that its schema names. The
 * host validates everything before a client sees it, so a plugin cannot send an invalid message.
 *
 * A plugin of this kind sets `kind` to SKH_TOOLS_KIND and `ops` to an skh_tools. When the result of
 * list() has changed, it calls host->changed(). The host then lists again and notifies its clients.
 */
#ifndef SKILLHOST_TOOLS_H
#define SKILLHOST_TOOLS_H

#include <skillhost/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SKH_TOOLS_KIND "skh.tools/1"

enum {
  SKH_MAY_ASK = 1u << 0,          /* ask() reaches the client */
  SKH_MAY_REQUIRE_INPUT = 1u << 1 /* a result may be of the type "input_required" */
};

/* skh_exchange.caller: what the caller may do. A server without an auth plugin does not identify
 * callers: they may read and manage, and see all skills. */
enum {
  SKH_CALLER_READS = 1u << 0,
  SKH_CALLER_MANAGES = 1u << 1,
  SKH_CALLER_REVIEWS = 1u << 2, /* only an identified caller, and only where skills are reviewed */
  SKH_CALLER_SEES_ALL = 1u << 3 /* no rule of visibility hides a skill from the caller */
};

/* The client that made the call. Valid as long as the call. [any] */
typedef struct skh_exchange skh_exchange;
struct skh_exchange {
  uint32_t size, flags; /* SKH_MAY_*: at most one of them, and only if the client supports it */
  /* ClientCapabilities, a JSON object; {} if the client has none. */
  skh_str client_capabilities_json;
  /* Set if the client repeats the call after an "input_required" result: a JSON object of its
   * answers, by the keys of `inputRequests`. Empty at the first attempt. The client has written
   * these answers, so do not trust them. */
  skh_str input_responses_json;
  /* The unchanged `requestState` of that result. The host has verified that this plugin issued it
   * at most an hour ago, for this client, target and arguments. It may arrive more than once. */
  skh_str request_state;
  /* Sends a message to the client's user (notifications/message): `level` is SKH_TRACE to
   * SKH_ERROR, `logger` may be empty, `data_json` is any JSON value of at most 64 KiB. The host
   * drops it if the client does not want this level. Returns SKH_INVALID if it is not JSON,
   * SKH_TOO_LARGE or SKH_CANCELLED. */
  skh_status (*log)(const skh_exchange *, int32_t level, skh_str logger,
                    skh_str data_json) SKH_NOEXCEPT;
  /* Sends a request to the client and waits: sampling/createMessage, elicitation/create or
   * roots/list, with an object of parameters of at most 256 KiB (empty: none). Returns SKH_OK after
   * it has written the result, a JSON object, to `answer`; SKH_UNSUPPORTED without SKH_MAY_ASK, or
   * if the client lacks the capability; SKH_DENIED if the client answered with an error;
   * SKH_CANCELLED or SKH_DEADLINE if no answer arrived in time; SKH_INVALID if the method or the
   * parameters are wrong; SKH_TOO_LARGE if they or the answer are too long; SKH_UNAVAILABLE if the
   * client is away or is asked too often. Return the same status then. A thread of the instance is
   * blocked meanwhile, so a few open requests delay the other calls. */
  skh_status (*ask)(const skh_exchange *, skh_str method, skh_str params_json,
                    const skh_bytes *answer) SKH_NOEXCEPT;
  /* The members below were added later: read them only if SKH_HAS(exchange, caller). */
  skh_str issuer, subject; /* the caller as the auth plugin knows it; both empty: not identified */
  uint32_t caller;         /* SKH_CALLER_* */
  uint32_t reserved;       /* 0 */
};

/* The request for a completion (completion/complete). */
typedef struct skh_completion {
  uint32_t size, reserved;
  skh_str reference;    /* name of a prompt, or the text of a resource template, as listed */
  skh_str argument;     /* name of the argument or variable */
  skh_str value;        /* the text typed so far */
  skh_str context_json; /* JSON object of the arguments that already have values. May be empty */
} skh_completion;

typedef struct skh_tools {
  uint32_t size, reserved;
  /* Lists everything as one JSON object: {"tools":[Tool…],"prompts":[Prompt…],
   * "resources":[Resource…],"resourceTemplates":[ResourceTemplate…]}. Each list may be missing and
   * has at most 1,000 entries; the whole has at most 4 MiB and 32 levels. The host withholds an
   * entry that breaks a rule and logs a warning. Names of tools and prompts have 1 to 128
   * characters of A-Z a-z 0-9 _ . - and URIs have a scheme other than skill and skillhost. Each is
   * unique in the whole host: the host's own take precedence, then the plugins in the order of the
   * configuration. Schemas are JSON Schema objects, and that of a tool's input has "type":"object".
   * The list must not depend on who asks. An entry may name the permission that its caller needs:
   * "_meta":{"org.skillhost/permission":"manage"}, or "read" (the default) or "review". The host
   * lists the entry to everybody, and refuses callers without that permission. A host that is older
   * than skh_exchange.caller ignores this member. [worker] */
  skh_status (*list)(void *self, const skh_call *, const skh_bytes *out) SKH_NOEXCEPT;
  /* Runs a listed tool. `arguments_json` is an object within the host's limits, but the host has
   * not validated it against the tool's schema. Writes a CallToolResult: {"content":[…]}, with
   * "structuredContent" and "isError" if needed, not longer than the host's limit for results. For
   * a wrong argument, write a result with "isError":true, so that the model can correct it. After a
   * negative status the host ignores everything written, and sends the message of fail() to the
   * client in such a result. With SKH_MAY_REQUIRE_INPUT the tool may write an InputRequiredResult
   * instead: {"resultType":"input_required","inputRequests":{key:{"method":…,"params":{…}}},
   * "requestState":"…"}. The host seals `requestState`, which has at most 64 KiB, and the client
   * calls again. [worker] */
  skh_status (*call_tool)(void *self, const skh_call *, const skh_exchange *, skh_str name,
                          skh_str arguments_json, const skh_bytes *result) SKH_NOEXCEPT;
  /* Writes a listed prompt as GetPromptResult or InputRequiredResult. Returns SKH_INVALID for wrong
   * arguments. The values of all arguments are strings. NULL if the plugin has no prompts.
   * [worker] */
  skh_status (*get_prompt)(void *self, const skh_call *, const skh_exchange *, skh_str name,
                           skh_str arguments_json, const skh_bytes *result) SKH_NOEXCEPT;
  /* Reads a listed resource, or a URI that matches one of the templates. Writes a
   * ReadResourceResult of at most 64 MiB or an InputRequiredResult. Returns SKH_NOT_FOUND if there
   * is no such resource. NULL if the plugin has neither resources nor templates. [worker] */
  skh_status (*read_resource)(void *self, const skh_call *, const skh_exchange *, skh_str uri,
                              const skh_bytes *result) SKH_NOEXCEPT;
  /* Writes the completion of a CompleteResult: {"values":["…"],"total":3,"hasMore":false}, at most
   * 100 values. NULL if there is nothing to complete. [worker] */
  skh_status (*complete)(void *self, const skh_call *, const skh_completion *,
                         const skh_bytes *result) SKH_NOEXCEPT;
} skh_tools;

#ifdef __cplusplus
}
#endif
#endif
