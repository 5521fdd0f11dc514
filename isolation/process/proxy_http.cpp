// SPDX-License-Identifier: Apache-2.0
// Forwards the kind "skh.http/1". The runner asks for the body of a request beside the answer, and
// the host sends each piece back on the same channel.
#include "process/proxy_instance.hpp"
#include "process/text.hpp"

#include <algorithm>
#include <exception>
#include <span>
#include <string>
#include <vector>

namespace skillhost::process {
namespace {

constexpr std::size_t bodyPiece = 64U << 10U;
constexpr std::size_t maxContentBytes = 32U << 20U; // bytes; the host's own limit is lower

std::vector<skh_http_field> unpackFields(Unpacker &from) {
  std::vector<skh_http_field> fields;
  for (std::uint32_t left = from.u32(); left > 0 && from.good(); --left) {
    const skh_str name = toSkhStr(from.text());
    fields.push_back({name, toSkhStr(from.text())});
  }
  return fields;
}

bool takeRoute(Unpacker &from, std::string_view content, const skh_routes &out,
               skh_status &refused) {
  skh_route route{};
  route.size = sizeof route;
  route.flags = from.u32();
  route.permission = from.u32();
  route.path = toSkhStr(from.text());
  route.methods = toSkhStr(from.text());
  route.max_body = from.u64();
  const std::vector<skh_http_field> fields = unpackFields(from);
  route.field_count = static_cast<std::uint32_t>(fields.size());
  route.fields = fields.data();
  route.content = toSkhStr(content);
  if (!from.good()) return false;
  if (refused == SKH_OK) refused = out.add(&out, &route);
  return true;
}

skh_status routes(void *self, const skh_call *call, const skh_routes *out) noexcept try {
  Packer packer = request(Operation::Routes, call);
  Receiver receiver;
  std::string content; // of the route that comes next
  receiver.onRecord = [&](Receiver &all, Record record, Unpacker &from) {
    if (record == Record::Bytes) {
      const std::string_view piece = from.text();
      if (content.size() + piece.size() > maxContentBytes) return false;
      content += piece;
      return true;
    }
    const bool isRoute = record == Record::Route && takeRoute(from, content, *out, all.sinkStatus);
    content.clear();
    return isRoute;
  };
  return callRunner(ProxyInstance::of(self).supervisor, Operation::Routes, call, packer, receiver);
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

bool sendBody(const skh_request &request, Record record, Unpacker &from,
              const Receiver::Send &send) {
  if (record != Record::ReadBody) return false;
  const std::uint32_t number = from.u32(), room = from.u32();
  if (!from.good()) return false;
  std::string piece(std::min<std::size_t>(room, bodyPiece), '\0');
  std::size_t got = 0;
  const skh_status status = request.read(&request, piece.data(), piece.size(), &got);
  Packer reply = replyTo(number, status);
  reply.text(std::string_view(piece).substr(0, got));
  send(reply);
  return true;
}

bool takeAnswer(Record record, Unpacker &from, const skh_response &out, skh_status &refused) {
  if (record == Record::Bytes) {
    const std::string_view bytes = from.text();
    if (refused == SKH_OK) refused = out.write(&out, bytes.data(), bytes.size());
    return true;
  }
  if (record != Record::Head) return false;
  const std::int32_t status = from.i32();
  const std::vector<skh_http_field> fields = unpackFields(from);
  if (from.good() && refused == SKH_OK)
    refused = out.begin(&out, status, fields.data(), fields.size());
  return true;
}

skh_status handle(void *self, const skh_call *call, const skh_request *httpRequest,
                  const skh_response *out) noexcept try {
  Packer packer = request(Operation::Handle, call);
  for (const skh_str text : {httpRequest->method, httpRequest->path, httpRequest->query,
                             httpRequest->peer, httpRequest->issuer, httpRequest->subject})
    packer.text(toStringView(text));
  packer.u64(httpRequest->body_length);
  packer.u32(httpRequest->field_count);
  for (const skh_http_field &one : std::span(httpRequest->fields, httpRequest->field_count)) {
    packer.text(toStringView(one.name));
    packer.text(toStringView(one.value));
  }
  Receiver receiver;
  receiver.mayOutliveCancellation = true;
  receiver.onRecord = [out](Receiver &all, Record record, Unpacker &from) {
    return takeAnswer(record, from, *out, all.sinkStatus);
  };
  receiver.onAside = [httpRequest](Record record, Unpacker &from, const Receiver::Send &send) {
    return sendBody(*httpRequest, record, from, send);
  };
  return callRunner(ProxyInstance::of(self).supervisor, Operation::Handle, call, packer, receiver);
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

} // namespace

const skh_http forwardingHttp{sizeof(skh_http), 0, &routes, &handle};

} // namespace skillhost::process
