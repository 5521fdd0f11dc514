// SPDX-License-Identifier: Apache-2.0
// Forwards the kind "skh.source/1".
#include "process/packed_document.hpp"
#include "process/proxy_instance.hpp"
#include "process/proxy_upstream.hpp"
#include "process/text.hpp"

#include <exception>

namespace skillhost::process {
namespace {

// Writes the documents of an answer into the host's sink, which checks them one by one.
Receiver documentsInto(const skh_documents &out) {
  Receiver receiver;
  receiver.onRecord = [&out](Receiver &self, Record record, Unpacker &from) {
    const auto heed = [&self](skh_status status) {
      if (self.sinkStatus == SKH_OK) self.sinkStatus = status;
    };
    if (record == Record::Done) {
      const std::string_view snapshot = from.text();
      if (from.good()) heed(out.done(&out, toSkhStr(snapshot)));
      return true;
    }
    if (record != Record::Document) return false;
    const skh_document document = unpackDocument(from);
    if (from.good() && self.sinkStatus == SKH_OK) heed(out.add(&out, &document));
    return true;
  };
  return receiver;
}

// If the plugin is a filter, it may call its upstream meanwhile.
skh_status callWithUpstream(void *self, Operation operation, const skh_call *call, Packer &packer,
                            Receiver &receiver) {
  Supervisor &supervisor = ProxyInstance::of(self).supervisor;
  if (const skh_upstream *const upstream = supervisor.upstream())
    receiver.onAside = [upstream, call](Record record, Unpacker &from, const Receiver::Send &send) {
      return record == Record::Upstream && callUpstream(*upstream, call, from, send);
    };
  return callRunner(supervisor, operation, call, packer, receiver);
}

skh_status list(void *self, const skh_call *call, const skh_documents *out) noexcept try {
  Packer packer = request(Operation::List, call);
  Receiver receiver = documentsInto(*out);
  return callWithUpstream(self, Operation::List, call, packer, receiver);
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

skh_status read(void *self, const skh_call *call, const skh_document *which,
                const skh_bytes *out) noexcept try {
  Packer packer = request(Operation::Read, call);
  pack(packer, *which);
  Receiver receiver = bytesInto(*out);
  return callWithUpstream(self, Operation::Read, call, packer, receiver);
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

skh_status changes(void *self, const skh_call *call, skh_str since,
                   const skh_documents *out) noexcept try {
  Packer packer = request(Operation::Changes, call);
  packer.text(toStringView(since));
  Receiver receiver = documentsInto(*out);
  return callWithUpstream(self, Operation::Changes, call, packer, receiver);
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

skh_status facts(void *self, const skh_call *call, skh_str snapshot, const skh_bytes *out) noexcept
    try {
  Packer packer = request(Operation::Facts, call);
  packer.text(toStringView(snapshot));
  Receiver receiver = bytesInto(*out);
  return callWithUpstream(self, Operation::Facts, call, packer, receiver);
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

} // namespace

const skh_facts forwardingFacts{sizeof(skh_facts), SKH_FACTS_MAGIC, &facts};
const skh_source forwardingSource{sizeof(skh_source), 0, &list, &read, &changes};

Receiver bytesInto(const skh_bytes &out) {
  Receiver receiver;
  receiver.onRecord = [&out](Receiver &self, Record record, Unpacker &from) {
    if (record != Record::Bytes) return false;
    const std::string_view bytes = from.text();
    if (from.good() && self.sinkStatus == SKH_OK)
      self.sinkStatus = out.write(&out, bytes.data(), bytes.size());
    return true;
  };
  return receiver;
}

} // namespace skillhost::process
