// SPDX-License-Identifier: Apache-2.0
#include "process/runner_operations.hpp"

#include "plugin_calls/library.hpp"
#include "process/packed_document.hpp"
#include "process/runner_exchange.hpp"
#include "process/runner_http.hpp"
#include "process/runner_observer.hpp"
#include "process/runner_sinks.hpp"
#include "process/runner_state.hpp"
#include "process/text.hpp"

#include <skillhost/caller.h>
#include <skillhost/explain.h>
#include <skillhost/facts.h>
#include <skillhost/held.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace skillhost::process {
namespace {

skh_status performFacts(const RunningPlugin &running, Unpacker &from, RunnerCall &call) {
  const skh_plugin &plugin = *running.plugin;
  if (!SKH_HAS(&plugin, extension) || plugin.extension == nullptr) return SKH_UNSUPPORTED;
  const auto *const table =
      static_cast<const skh_facts *>(plugin.extension(running.self, SKH_FACTS));
  const bool isTable = SKH_IS_FACTS(table);
  if (!isTable) return SKH_UNSUPPORTED;
  const skh_str snapshot = toSkhStr(from.text());
  if (!from.good()) return SKH_INVALID;
  BytesSender sender(call);
  return table->facts(running.self, call.raw(), snapshot, &sender.base);
}

skh_status performSource(const RunningPlugin &running, Operation operation, Unpacker &from,
                         RunnerCall &call) {
  const auto &ops = *static_cast<const skh_source *>(running.plugin->ops);
  if (operation == Operation::Read) {
    const skh_document document = unpackDocument(from);
    if (!from.good()) return SKH_INVALID;
    BytesSender sender(call);
    return ops.read(running.self, call.raw(), &document, &sender.base);
  }
  if (operation == Operation::Facts) return performFacts(running, from, call);
  DocumentsSender sender(call);
  if (operation == Operation::List) return ops.list(running.self, call.raw(), &sender.base);
  if (operation != Operation::Changes || !SKH_HAS(&ops, changes) || ops.changes == nullptr)
    return SKH_UNSUPPORTED;
  const skh_str since = toSkhStr(from.text());
  return from.good() ? ops.changes(running.self, call.raw(), since, &sender.base) : SKH_INVALID;
}

skh_status put(const RunningPlugin &running, Unpacker &from, const RunnerCall &call) {
  skh_entry_text entry{};
  entry.size = sizeof entry;
  for (skh_str *text : {&entry.id, &entry.revision, &entry.name, &entry.description, &entry.body,
                        &entry.attributes})
    *text = toSkhStr(from.text());
  if (!from.good()) return SKH_INVALID;
  return static_cast<const skh_search *>(running.plugin->ops)
      ->put(running.self, call.raw(), &entry);
}

skh_status performHeld(const RunningPlugin &running, RunnerCall &call) {
  const skh_plugin &plugin = *running.plugin;
  if (!SKH_HAS(&plugin, extension) || plugin.extension == nullptr) return SKH_UNSUPPORTED;
  const auto *const table = static_cast<const skh_held *>(plugin.extension(running.self, SKH_HELD));
  const bool isTable = SKH_IS_HELD(table);
  if (!isTable) return SKH_UNSUPPORTED;
  HeldSender sender(call);
  return table->held(running.self, call.raw(), &sender.base);
}

skh_status performExplain(const RunningPlugin &running, Operation operation, Unpacker &from,
                          RunnerCall &call) {
  const skh_plugin &plugin = *running.plugin;
  if (!SKH_HAS(&plugin, extension) || plugin.extension == nullptr) return SKH_UNSUPPORTED;
  const auto *const table =
      static_cast<const skh_explain *>(plugin.extension(running.self, SKH_EXPLAIN));
  const bool isTable = SKH_IS_EXPLAIN(table);
  if (!isTable) return SKH_UNSUPPORTED;
  BytesSender sender(call);
  if (operation == Operation::Settle) {
    const bool settles = SKH_HAS(table, settle) && table->settle != nullptr;
    return settles ? table->settle(running.self, call.raw(), &sender.base) : SKH_UNSUPPORTED;
  }
  const skh_str text = toSkhStr(from.text());
  const skh_str id = toSkhStr(from.text());
  if (!from.good()) return SKH_INVALID;
  return table->explain(running.self, call.raw(), text, id, &sender.base);
}

skh_status performSearch(const RunningPlugin &running, Operation operation, Unpacker &from,
                         RunnerCall &call) {
  const auto &ops = *static_cast<const skh_search *>(running.plugin->ops);
  if (operation == Operation::Put) return put(running, from, call);
  if (operation == Operation::Generation) {
    if (ops.generation == nullptr) return SKH_UNSUPPORTED;
    BytesSender sender(call);
    return ops.generation(running.self, call.raw(), &sender.base);
  }
  if (operation == Operation::Held) return performHeld(running, call);
  if (operation == Operation::Explain || operation == Operation::Settle)
    return performExplain(running, operation, from, call);
  const skh_str text = toSkhStr(from.text());
  if (operation == Operation::Query) {
    const skh_str filter = toSkhStr(from.text());
    const std::uint32_t limit = from.u32();
    if (!from.good()) return SKH_INVALID;
    HitsSender sender(call, limit);
    return ops.query(running.self, call.raw(), text, filter, limit, &sender.base);
  }
  if (!from.good()) return SKH_INVALID;
  if (operation == Operation::Remove) return ops.remove(running.self, call.raw(), text);
  if (operation == Operation::Commit) return ops.commit(running.self, call.raw(), text);
  return SKH_UNSUPPORTED;
}

std::vector<skh_str> unpackTexts(Unpacker &from, std::uint64_t count) {
  std::vector<skh_str> texts;
  for (; count > 0 && from.good(); --count) texts.push_back(toSkhStr(from.text()));
  return texts;
}

skh_status validateCaller(const RunningPlugin &running, const skh_credential &credential,
                          Unpacker &from, RunnerCall &call) {
  const skh_plugin &plugin = *running.plugin;
  if (!SKH_HAS(&plugin, extension) || plugin.extension == nullptr) return SKH_UNSUPPORTED;
  const auto *const table =
      static_cast<const skh_callers *>(plugin.extension(running.self, SKH_CALLER));
  const bool isTable = SKH_IS_CALLERS(table);
  if (!isTable) return SKH_UNSUPPORTED;
  skh_certificate certificate{};
  std::vector<skh_str> names;
  const bool hasCertificate = from.u8() != 0;
  if (hasCertificate) {
    certificate.size = sizeof certificate;
    for (skh_str *text : {&certificate.subject, &certificate.issuer, &certificate.sha256})
      *text = toSkhStr(from.text());
    certificate.expires_at = from.i64();
    certificate.name_count = from.u32();
    names = unpackTexts(from, certificate.name_count);
    certificate.names = names.data();
  }
  const std::uint32_t count = from.u32();
  const std::vector<skh_str> headers = unpackTexts(from, std::uint64_t{count} * 2);
  if (!from.good()) return SKH_INVALID;
  const skh_caller caller{sizeof caller, count, &credential,
                          hasCertificate ? &certificate : nullptr, headers.data()};
  PrincipalsSender sender(call);
  return table->validate(running.self, call.raw(), &caller, &sender.base);
}

skh_status performAuth(const RunningPlugin &running, Operation operation, Unpacker &from,
                       RunnerCall &call) {
  const auto &ops = *static_cast<const skh_auth *>(running.plugin->ops);
  if (operation == Operation::Check && SKH_HAS(&ops, check) && ops.check != nullptr)
    return ops.check(running.self, call.raw());
  if (operation == Operation::Describe && SKH_HAS(&ops, describe) && ops.describe != nullptr) {
    BytesSender sender(call);
    return ops.describe(running.self, call.raw(), &sender.base);
  }
  const bool byCaller = operation == Operation::ValidateCaller;
  if ((operation != Operation::Validate && !byCaller) || !SKH_HAS(&ops, validate) ||
      ops.validate == nullptr)
    return SKH_UNSUPPORTED;
  skh_credential credential{};
  credential.size = sizeof credential;
  for (skh_str *text :
       {&credential.scheme, &credential.value, &credential.resource, &credential.peer})
    *text = toSkhStr(from.text());
  if (!from.good()) return SKH_INVALID;
  if (byCaller) return validateCaller(running, credential, from, call);
  PrincipalsSender sender(call);
  return ops.validate(running.self, call.raw(), &credential, &sender.base);
}

skh_status performTools(const RunningPlugin &running, Operation operation, Unpacker &from,
                        RunnerCall &call) {
  const auto &ops = *static_cast<const skh_tools *>(running.plugin->ops);
  BytesSender sender(call);
  if (operation == Operation::ListTools) return ops.list(running.self, call.raw(), &sender.base);
  if (operation == Operation::Complete) {
    if (!SKH_HAS(&ops, complete) || ops.complete == nullptr) return SKH_UNSUPPORTED;
    skh_completion what{};
    what.size = sizeof what;
    for (skh_str *text : {&what.reference, &what.argument, &what.value, &what.context_json})
      *text = toSkhStr(from.text());
    return from.good() ? ops.complete(running.self, call.raw(), &what, &sender.base) : SKH_INVALID;
  }
  RunnerExchange exchange(call, from);
  const skh_str name = toSkhStr(from.text());
  const skh_str arguments = toSkhStr(from.text());
  if (!from.good()) return SKH_INVALID;
  if (operation == Operation::CallTool)
    return ops.call_tool(running.self, call.raw(), exchange.raw(), name, arguments, &sender.base);
  if (operation == Operation::GetPrompt && SKH_HAS(&ops, get_prompt) && ops.get_prompt != nullptr)
    return ops.get_prompt(running.self, call.raw(), exchange.raw(), name, arguments, &sender.base);
  if (operation == Operation::ReadResource && SKH_HAS(&ops, read_resource) &&
      ops.read_resource != nullptr)
    return ops.read_resource(running.self, call.raw(), exchange.raw(), name, &sender.base);
  return SKH_UNSUPPORTED;
}

} // namespace

skh_status perform(const RunningPlugin &running, Operation operation, Unpacker &arguments,
                   RunnerCall &call) {
  const std::string_view kind = running.plugin->kind;
  if (kind == sourceKind) return performSource(running, operation, arguments, call);
  if (kind == searchKind) return performSearch(running, operation, arguments, call);
  if (kind == authKind) return performAuth(running, operation, arguments, call);
  if (kind == toolsKind) return performTools(running, operation, arguments, call);
  if (kind == stateKind) return performState(running, operation, arguments, call);
  if (kind == observerKind) return performObserver(running, operation, arguments, call);
  if (kind == httpKind) return performHttp(running, operation, arguments, call);
  return SKH_UNSUPPORTED;
}

} // namespace skillhost::process
