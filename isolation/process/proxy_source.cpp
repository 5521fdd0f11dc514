// SPDX-License-Identifier: Apache-2.0
// Forwards the kind "skh.source/1".
#include "process/proxy_instance.hpp"
#include "process/text.hpp"

#include <exception>

namespace skillhost::process {
namespace {

// Writes the documents of an answer into the host's sink, which checks them one by one.
Receiver documentsInto(const skh_documents &out) {
  Receiver receiver;
  receiver.take = [&out](Receiver &self, Record record, Unpacker &from) {
    const auto heed = [&self](skh_status status) {
      if (self.refused == SKH_OK) self.refused = status;
    };
    if (record == Record::Done) {
      const std::string_view snapshot = from.text();
      if (from.good()) heed(out.done(&out, lend(snapshot)));
      return true;
    }
    if (record != Record::Document) return false;
    skh_document document{};
    document.size = sizeof document;
    document.flags = from.u32();
    document.skill = lend(from.text());
    document.path = lend(from.text());
    document.revision = lend(from.text());
    document.length = from.u64();
    document.location = lend(from.text());
    if (from.good() && self.refused == SKH_OK) heed(out.add(&out, &document));
    return true;
  };
  return receiver;
}

skh_status list(void *self, const skh_call *call, const skh_documents *out) noexcept try {
  Packer packer = request(Operation::List, call);
  Receiver receiver = documentsInto(*out);
  return ask(ProxyInstance::of(self).supervisor, Operation::List, call, packer, receiver);
} catch (const std::exception &why) {
  say(call, why.what());
  return SKH_FAILED;
}

skh_status read(void *self, const skh_call *call, const skh_document *which,
                const skh_bytes *out) noexcept try {
  Packer packer = request(Operation::Read, call);
  packer.u32(which->flags);
  packer.text(seen(which->skill));
  packer.text(seen(which->path));
  packer.text(seen(which->revision));
  packer.u64(which->length);
  packer.text(SKH_HAS(which, location) ? seen(which->location) : std::string_view{});
  Receiver receiver = bytesInto(*out);
  return ask(ProxyInstance::of(self).supervisor, Operation::Read, call, packer, receiver);
} catch (const std::exception &why) {
  say(call, why.what());
  return SKH_FAILED;
}

skh_status changes(void *self, const skh_call *call, skh_str since,
                   const skh_documents *out) noexcept try {
  Packer packer = request(Operation::Changes, call);
  packer.text(seen(since));
  Receiver receiver = documentsInto(*out);
  return ask(ProxyInstance::of(self).supervisor, Operation::Changes, call, packer, receiver);
} catch (const std::exception &why) {
  say(call, why.what());
  return SKH_FAILED;
}

skh_status facts(void *self, const skh_call *call, skh_str snapshot, const skh_bytes *out) noexcept
    try {
  Packer packer = request(Operation::Facts, call);
  packer.text(seen(snapshot));
  Receiver receiver = bytesInto(*out);
  return ask(ProxyInstance::of(self).supervisor, Operation::Facts, call, packer, receiver);
} catch (const std::exception &why) {
  say(call, why.what());
  return SKH_FAILED;
}

} // namespace

const skh_facts forwardingFacts{sizeof(skh_facts), SKH_FACTS_MAGIC, &facts};
const skh_source forwardingSource{sizeof(skh_source), 0, &list, &read, &changes};

Receiver bytesInto(const skh_bytes &out) {
  Receiver receiver;
  receiver.take = [&out](Receiver &self, Record record, Unpacker &from) {
    if (record != Record::Bytes) return false;
    const std::string_view bytes = from.text();
    if (from.good() && self.refused == SKH_OK)
      self.refused = out.write(&out, bytes.data(), bytes.size());
    return true;
  };
  return receiver;
}

} // namespace skillhost::process
