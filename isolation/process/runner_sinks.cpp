// SPDX-License-Identifier: Apache-2.0
#include "process/runner_sinks.hpp"

#include "process/packed_document.hpp"
#include "process/text.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>

namespace skillhost::process {
namespace {

template <class Sender, class Base> Sender &senderOf(const Base *base) noexcept {
  static_assert(std::is_standard_layout_v<Sender>);
  // The object is a Sender that is not const, and base is its first member.
  return *reinterpret_cast<Sender *>(const_cast<Base *>(base));
}

skh_status write(const skh_bytes *raw, const void *data, size_t size) noexcept try {
  return senderOf<BytesSender>(raw).call->addBytes({static_cast<const char *>(data), size});
} catch (...) {
  return SKH_TOO_LARGE;
}

skh_status addDocument(const skh_documents *raw, const skh_document *document) noexcept try {
  const DocumentsSender &sender = senderOf<DocumentsSender>(raw);
  const skh_status status =
      sender.call->add(Record::Document, [document](Packer &packer) { pack(packer, *document); });
  // It was sent all the same, so that the host reports the fault.
  return sender.done ? SKH_INVALID : status;
} catch (...) {
  return SKH_TOO_LARGE;
}

skh_status done(const skh_documents *raw, skh_str snapshot) noexcept try {
  DocumentsSender &sender = senderOf<DocumentsSender>(raw);
  const bool twice = std::exchange(sender.done, true);
  const skh_status status = sender.call->add(
      Record::Done, [snapshot](Packer &packer) { packer.text(toStringView(snapshot)); });
  return twice ? SKH_INVALID : status;
} catch (...) {
  return SKH_TOO_LARGE;
}

skh_status addHit(const skh_hits *raw, const skh_hit *hit) noexcept try {
  HitsSender &sender = senderOf<HitsSender>(raw);
  if (sender.left == 0) return SKH_TOO_LARGE;
  if (!std::isfinite(hit->score)) return SKH_INVALID;
  --sender.left;
  return sender.call->add(Record::Hit, [hit](Packer &packer) {
    packer.text(toStringView(hit->id));
    packer.number(hit->score);
    packer.text(toStringView(hit->snippet));
  });
} catch (...) {
  return SKH_TOO_LARGE;
}

skh_status addHeld(const skh_held_entries *raw, skh_str id, skh_str revision) noexcept try {
  return senderOf<HeldSender>(raw).call->add(Record::Held, [id, revision](Packer &packer) {
    packer.text(toStringView(id));
    packer.text(toStringView(revision));
  });
} catch (...) {
  return SKH_TOO_LARGE;
}

skh_status addMessage(const skh_messages *raw, const skh_message *message) noexcept try {
  return senderOf<MessagesSender>(raw).call->add(Record::Message, [message](Packer &packer) {
    packer.u32(message->flags);
    packer.text(toStringView(message->channel));
    packer.text(toStringView(message->payload));
  });
} catch (...) {
  return SKH_TOO_LARGE;
}

skh_status accept(const skh_principals *raw, const skh_principal *principal) noexcept try {
  return senderOf<PrincipalsSender>(raw).call->add(Record::Principal, [principal](Packer &packer) {
    packer.text(toStringView(principal->subject));
    packer.text(toStringView(principal->issuer));
    packer.text(toStringView(principal->claims));
    packer.i64(principal->expires_at);
    packer.u32(principal->cache_seconds);
    packer.u32(principal->scope_count);
    for (const skh_str scope : std::span(principal->scopes, principal->scope_count))
      packer.text(toStringView(scope));
  });
} catch (...) {
  return SKH_TOO_LARGE;
}

} // namespace

BytesSender::BytesSender(RunnerCall &to) : base{sizeof base, 0, &write}, call(&to) {}
DocumentsSender::DocumentsSender(RunnerCall &to)
    : base{sizeof base, 0, &addDocument, &skillhost::process::done}, call(&to) {}
HitsSender::HitsSender(RunnerCall &to, std::uint32_t limit)
    : base{sizeof base, 0, &addHit}, call(&to), left(limit) {}
HeldSender::HeldSender(RunnerCall &to) : base{sizeof base, 0, &addHeld}, call(&to) {}
MessagesSender::MessagesSender(RunnerCall &to) : base{sizeof base, 0, &addMessage}, call(&to) {}
PrincipalsSender::PrincipalsSender(RunnerCall &to) : base{sizeof base, 0, &accept}, call(&to) {}

} // namespace skillhost::process
