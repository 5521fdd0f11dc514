// SPDX-License-Identifier: Apache-2.0
// Forwards the kind "skh.tools/1". Messages from the plugin to the client are asides of the answer,
// and the client's answers go back on the same channel.
#include "process/proxy_instance.hpp"
#include "process/text.hpp"

#include <exception>

namespace skillhost::process {
namespace {

struct ClientAnswer {
  static skh_status write(const skh_bytes *raw, const void *data, size_t size) noexcept try {
    // The object is a ClientAnswer that is not const, and base is its first member.
    reinterpret_cast<ClientAnswer *>(const_cast<skh_bytes *>(raw))
        ->text.append(static_cast<const char *>(data), size);
    return SKH_OK;
  } catch (...) {
    return SKH_TOO_LARGE;
  }
  skh_bytes base{sizeof(skh_bytes), 0, &write};
  std::string text{};
};

bool takeAside(const skh_exchange &client, Record record, Unpacker &from,
               const Receiver::Send &send) {
  if (record == Record::Told) {
    const std::int32_t level = from.i32();
    const std::string_view logger = from.text(), data = from.text();
    if (from.good()) client.log(&client, level, toSkhStr(logger), toSkhStr(data));
    return true;
  }
  if (record != Record::Ask) return false;
  const std::uint32_t number = from.u32();
  const std::string_view method = from.text(), params = from.text();
  if (!from.good()) return false;
  ClientAnswer answer;
  const skh_status status = client.ask(&client, toSkhStr(method), toSkhStr(params), &answer.base);
  Packer reply = replyTo(number, status);
  reply.text(answer.text);
  send(reply);
  return true;
}

Receiver receiverOf(const skh_bytes &out, const skh_exchange &client) {
  Receiver receiver = bytesInto(out);
  receiver.onAside = [&client](Record record, Unpacker &from, const Receiver::Send &send) {
    return takeAside(client, record, from, send);
  };
  return receiver;
}

Packer requestOf(Operation operation, const skh_call *call, const skh_exchange &client,
                 skh_str name, skh_str arguments) {
  Packer packer = request(operation, call);
  packer.u32(client.flags);
  for (const skh_str text : {client.client_capabilities_json, client.input_responses_json,
                             client.request_state, client.issuer, client.subject})
    packer.text(toStringView(text));
  packer.u32(client.caller);
  for (const skh_str text : {name, arguments}) packer.text(toStringView(text));
  return packer;
}

skh_status forward(void *self, Operation operation, const skh_call *call,
                   const skh_exchange *client, skh_str name, skh_str arguments,
                   const skh_bytes *out) noexcept try {
  Packer packer = requestOf(operation, call, *client, name, arguments);
  Receiver receiver = receiverOf(*out, *client);
  return callRunner(ProxyInstance::of(self).supervisor, operation, call, packer, receiver);
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

skh_status list(void *self, const skh_call *call, const skh_bytes *out) noexcept try {
  Packer packer = request(Operation::ListTools, call);
  Receiver receiver = bytesInto(*out);
  return callRunner(ProxyInstance::of(self).supervisor, Operation::ListTools, call, packer,
                    receiver);
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

skh_status callTool(void *self, const skh_call *call, const skh_exchange *client, skh_str name,
                    skh_str arguments, const skh_bytes *out) noexcept {
  return forward(self, Operation::CallTool, call, client, name, arguments, out);
}

skh_status getPrompt(void *self, const skh_call *call, const skh_exchange *client, skh_str name,
                     skh_str arguments, const skh_bytes *out) noexcept {
  return forward(self, Operation::GetPrompt, call, client, name, arguments, out);
}

skh_status readResource(void *self, const skh_call *call, const skh_exchange *client, skh_str uri,
                        const skh_bytes *out) noexcept {
  return forward(self, Operation::ReadResource, call, client, uri, {}, out);
}

skh_status complete(void *self, const skh_call *call, const skh_completion *what,
                    const skh_bytes *out) noexcept try {
  Packer packer = request(Operation::Complete, call);
  for (const skh_str text : {what->reference, what->argument, what->value, what->context_json})
    packer.text(toStringView(text));
  Receiver receiver = bytesInto(*out);
  return callRunner(ProxyInstance::of(self).supervisor, Operation::Complete, call, packer,
                    receiver);
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

} // namespace

const skh_tools forwardingTools{sizeof(skh_tools), 0,        &list, &callTool, &getPrompt,
                                &readResource,     &complete};

} // namespace skillhost::process
