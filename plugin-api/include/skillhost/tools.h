/* SPDX-License-Identifier: Apache-2.0
 * skillhost/tools.h - the kind "skh.tools/1": tools, prompts and resources of a plugin's own,
 * beside those the host makes of its skills. Version 1 of the kind, for every host that knows it.
 *
 * The rules of <skillhost/plugin.h> hold here too: memory never changes owner, nothing unwinds,
 * structs only grow, strings are UTF-8 with a length. The words are those of the Model Context
 * Protocol (MCP): each `_json` is one JSON text (RFC 8259) of the type its schema names. The host
 * validates all of it before a client sees any: a plugin cannot send a broken message.
 *
 * A plugin of this kind sets `kind` to SKH_TOOLS_KIND and `ops` to an skh_tools. When what list()
 * gives has changed it calls host->changed(): the host lists again and tells its clients.
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

/* The client that made the call, lent for as long as the call lasts. [any] */
typedef struct skh_exchange skh_exchange;
struct skh_exchange {
  uint32_t size, flags; /* SKH_MAY_*: at most one of them, and only for what the client can do */
  /* ClientCapabilities, a JSON object: {} when it has none. */
  skh_str client_capabilities_json;
  /* When the client comes back with what an "input_required" result asked for: a JSON object of
   * its answers, by the keys of `inputRequests`. Empty at the first attempt. What is in it is the
   * client's word. */
  skh_str input_responses_json;
  /* The `requestState` of that result, unchanged: the host has made sure that this plugin gave it,
   * for this client, target and arguments, at most an hour ago. It may come more than once. */
  skh_str request_state;
  /* A message for the client's user (notifications/message): `level` is SKH_TRACE to SKH_ERROR,
   * `logger` may be empty, `data_json` is any JSON value of at most 64 KiB. Dropped when the client
   * wants none of this level. SKH_INVALID when it is no JSON, SKH_TOO_LARGE, SKH_CANCELLED. */
  skh_status (*log)(const skh_exchange *, int32_t level, skh_str logger,
                    skh_str data_json) SKH_NOEXCEPT;
  /* Asks the client and waits: sampling/createMessage, elicitation/create or roots/list, with an
   * object of parameters of at most 256 KiB (empty: none). SKH_OK: the result, a JSON object, was
   * written to `answer`. SKH_UNSUPPORTED: without SKH_MAY_ASK, or the client lacks the capability.
   * SKH_DENIED: the client answered with an error. SKH_CANCELLED, SKH_DEADLINE: no answer while it
   * was wanted; return the same. A thread of the instance waits meanwhile, so that a few open
   * questions hold up the other calls. */
  skh_status (*ask)(const skh_exchange *, skh_str method, skh_str params_json,
                    const skh_bytes *answer) SKH_NOEXCEPT;
};

/* What is to be completed (completion/complete). */
typedef struct skh_completion {
  uint32_t size, reserved;
  skh_str reference;    /* the name of a prompt, or the text of a resource template, as listed */
  skh_str argument;     /* the name of the argument or variable */
  skh_str value;        /* what has been typed of it */
  skh_str context_json; /* JSON object: arguments that have their value already. May be empty */
} skh_completion;

typedef struct skh_tools {
  uint32_t size, reserved;
  /* All there is, as one JSON object: {"tools":[Tool…],"prompts":[Prompt…],"resources":[Resource…],
   * "resourceTemplates":[ResourceTemplate…]}; each list may lack, of at most 1,000 entries, all of
   * it at most 4 MiB and 32 levels deep. An entry that breaks a rule is withheld with a warning:
   * names of tools and prompts are 1 to 128 of A-Z a-z 0-9 _ . - and URIs have a scheme other than
   * skill and skillhost; each is unique in the whole host, where the host's own come first, then
   * the plugins in the order of the configuration; schemas are JSON Schema objects, that of a
   * tool's input with "type":"object". Must not depend on who asks. [worker] */
  skh_status (*list)(void *self, const skh_call *, const skh_bytes *out) SKH_NOEXCEPT;
  /* Runs a listed tool. `arguments_json` is an object within the host's limits that the host has
   * not compared with the tool's schema. Writes a CallToolResult: {"content":[…]}, with
   * "structuredContent" and "isError" as need be, at most as long as the host's limit for results.
   * A wrong argument is a result with "isError":true, so that the model can mend it. With a
   * negative status nothing written counts and the message of fail() goes to the client in a
   * result of that kind. Under SKH_MAY_REQUIRE_INPUT it may write an InputRequiredResult instead:
   * {"resultType":"input_required","inputRequests":{key:{"method":…,"params":{…}}},
   * "requestState":"…"}; the host seals `requestState`, at most 64 KiB, and the client calls
   * again. [worker] */
  skh_status (*call_tool)(void *self, const skh_call *, const skh_exchange *, skh_str name,
                          skh_str arguments_json, const skh_bytes *result) SKH_NOEXCEPT;
  /* A listed prompt: GetPromptResult or InputRequiredResult. SKH_INVALID: wrong arguments, of
   * which all values are strings. NULL when the plugin has no prompts. [worker] */
  skh_status (*get_prompt)(void *self, const skh_call *, const skh_exchange *, skh_str name,
                           skh_str arguments_json, const skh_bytes *result) SKH_NOEXCEPT;
  /* A listed resource, or a URI that one of the templates fits: ReadResourceResult or
   * InputRequiredResult, of at most 64 MiB. SKH_NOT_FOUND: there is no such resource. NULL when
   * the plugin has neither. [worker] */
  skh_status (*read_resource)(void *self, const skh_call *, const skh_exchange *, skh_str uri,
                              const skh_bytes *result) SKH_NOEXCEPT;
  /* CompleteResult's completion: {"values":["…"],"total":3,"hasMore":false}, at most 100 values.
   * NULL when there is nothing to complete. [worker] */
  skh_status (*complete)(void *self, const skh_call *, const skh_completion *,
                         const skh_bytes *result) SKH_NOEXCEPT;
} skh_tools;

#ifdef __cplusplus
}
#endif
#endif
