// SPDX-License-Identifier: Apache-2.0
#include "operations.hpp"

#include "http_calls.hpp"
#include "observer_calls.hpp"
#include "search_calls.hpp"
#include "sinks.hpp"
#include "source_calls.hpp"
#include "state_calls.hpp"
#include "tools_calls.hpp"

#include <algorithm>

namespace skillhost::check {
namespace {

Operation listing(const Instance &instance, std::string snapshot, std::size_t count) {
  return {"list()", [&instance, snapshot = std::move(snapshot), count](const StandInCall &call) {
            DocumentSink sink;
            Answer answer;
            answer.status =
                instance.operations<skh_source>().list(instance.self, call.raw(), sink.raw());
            if (answer.status == SKH_OK && sink.endings != 1)
              answer.fault = "list() returns SKH_OK and has not called done() once";
            else if (answer.status == SKH_OK && sink.snapshot == snapshot &&
                     sink.documents.size() != count)
              answer.fault = "list() gives " + std::to_string(sink.documents.size()) + " of " +
                             std::to_string(count) + " documents of one snapshot";
            return answer;
          }};
}

Operation reading(const Instance &instance, const ListedDocument &document, std::string bytes) {
  return {"read() of " + nameOf(document),
          [&instance, document, bytes = std::move(bytes)](const StandInCall &call) {
            ByteSink sink(maxDocumentBytes);
            Answer answer;
            answer.status = readInto(instance, document, call, sink);
            if (answer.status == SKH_OK && sink.bytes != bytes)
              answer.fault = "read() of " + nameOf(document) + " gives other bytes than before";
            return answer;
          }};
}

std::vector<Operation> ofSource(Probe &probe, const Instance &instance) {
  const Listing whole = list(probe, instance);
  std::vector<Operation> all{listing(instance, whole.snapshot, whole.documents.size())};
  if (whole.documents.empty()) return all;
  // A document of unknown length counts as the largest.
  const auto largest = std::max_element(
      whole.documents.begin(), whole.documents.end(),
      [](const auto &left, const auto &right) { return left.length < right.length; });
  for (const ListedDocument &one : {whole.documents.front(), *largest}) {
    ReadBack back = read(probe, instance, one);
    if (back.status == SKH_OK) all.push_back(reading(instance, one, std::move(back.bytes)));
  }
  return all;
}

std::vector<Operation> ofSearch(Probe &probe, const Instance &instance) {
  fillIndex(probe, instance, sampleEntries(40), "filled");
  return {{"query()", [&instance](const StandInCall &call) {
             const HitSink sink;
             Answer answer;
             answer.status = instance.operations<skh_search>().query(
                 instance.self, call.raw(), borrow(sampleQuery), {}, 10, sink.raw());
             if (sink.hits.size() > 10) answer.fault = "query() gives more hits than the limit";
             return answer;
           }}};
}

// Only the author knows what the tools do with arbitrary arguments, so these calls may fail.
std::vector<Operation> ofTools(Probe &probe, const Instance &instance) {
  const std::string offers = listTools(probe, instance);
  std::vector<Operation> all{{"list()", [&instance](const StandInCall &call) {
                                ByteSink sink(maxResultBytes);
                                Answer answer;
                                answer.status = instance.operations<skh_tools>().list(
                                    instance.self, call.raw(), sink.raw());
                                return answer;
                              }}};
  if (const std::string name = firstTool(offers); !name.empty())
    all.push_back({"call_tool() of " + name,
                   [&instance, name](const StandInCall &call) {
                     Answer answer;
                     answer.status = callTool(instance, call, name, "{}").status;
                     return answer;
                   },
                   false});
  return all;
}

// Uses keys of this run only, which expire.
std::vector<Operation> ofState(Probe &probe, const Instance &instance) {
  StateUser user(probe, instance, statePrefix());
  const std::string key = user.key("value"), counter = user.key("counter"), value = "value";
  if (const skh_status status = user.put(key, value, stateLifetime); status != SKH_OK)
    fail("put() is " + statusName(status) + user.message());
  const auto &state = instance.operations<skh_state>();
  return {{"get()",
           [&instance, &state, key, value](const StandInCall &call) {
             ByteSink sink(maxStateValueBytes);
             Answer answer;
             answer.status = state.get(instance.self, call.raw(), borrow(key), 0, sink.raw());
             if (answer.status == SKH_OK && sink.bytes != value)
               answer.fault = "get() gives another value than was put";
             return answer;
           }},
          {"put()",
           [&instance, &state, key, value](const StandInCall &call) {
             Answer answer;
             answer.status =
                 state.put(instance.self, call.raw(), borrow(key), borrow(value), stateLifetime);
             return answer;
           }},
          {"add()", [&instance, &state, counter](const StandInCall &call) {
             ByteSink sink(maxStateValueBytes);
             Answer answer;
             answer.status = state.add(instance.self, call.raw(), borrow(counter), 1, stateLifetime,
                                       sink.raw());
             if (answer.status == SKH_OK && sink.bytes.empty()) answer.fault = "add() gives no sum";
             return answer;
           }}};
}

std::vector<Operation> ofObserver(const Instance &instance) {
  return {{"a batch of events", [&instance](const StandInCall &call) {
             std::string where;
             Answer answer;
             answer.status = tellBatch(instance, call, usualEvents, 1, where);
             return answer;
           }}};
}

// Only the author knows which requests succeed, so these calls may fail.
std::vector<Operation> ofHttp(Probe &probe, const Instance &instance) {
  std::vector<Operation> all{{"routes()", [&instance](const StandInCall &call) {
                                RoutesSink sink(call.raw());
                                Answer answer;
                                answer.status = instance.operations<skh_http>().routes(
                                    instance.self, call.raw(), sink.raw());
                                answer.fault = sink.problem;
                                return answer;
                              }}};
  for (const HandlerRoute &route : routesOf(probe, instance)) {
    if (route.isConstant) continue;
    all.push_back({"handle() for " + route.path,
                   [&instance, route](const StandInCall &call) {
                     const HttpAnswer given = sendRequest(instance, call, route, BodyOfCheck::None);
                     return Answer{given.status, given.problem};
                   },
                   false});
    break;
  }
  return all;
}

std::vector<Operation> ofAuth(const Instance &instance) {
  return {{"validate()",
           [&instance](const StandInCall &call) {
             const Placed<skh_credential> credential(
                 {sizeof(skh_credential), 0, borrow("bearer"), borrow("no-such-token"),
                  borrow("https://skillhost.invalid/mcp"), borrow("127.0.0.1:4711")},
                 nullptr);
             const PrincipalSink sink;
             Answer answer;
             answer.status = instance.operations<skh_auth>().validate(instance.self, call.raw(),
                                                                      credential.get(), sink.raw());
             if (answer.status == SKH_OK || !sink.accepted.empty())
               answer.fault = "validate() accepts a made-up token";
             return answer;
           },
           false}};
}

} // namespace

std::vector<Operation> operationsOf(Probe &probe, Instance &instance) {
  if (isKind(instance.plugin, sourceKind)) return ofSource(probe, instance);
  if (isKind(instance.plugin, searchKind)) return ofSearch(probe, instance);
  if (isKind(instance.plugin, toolsKind)) return ofTools(probe, instance);
  if (isKind(instance.plugin, stateKind)) return ofState(probe, instance);
  if (isKind(instance.plugin, observerKind)) return ofObserver(instance);
  if (isKind(instance.plugin, httpKind)) return ofHttp(probe, instance);
  return ofAuth(instance);
}

void eachKnownInstance(Probe &probe, const std::function<void(Instance &)> &body) {
  for (const skh_plugin *const plugin : knownPlugins(probe.loadEntry()))
    withInstance(probe, *plugin, probe.cacheDirectory(), body);
}

} // namespace skillhost::check
