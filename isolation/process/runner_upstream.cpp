// SPDX-License-Identifier: Apache-2.0
#include "process/runner_upstream.hpp"

#include "process/packed_document.hpp"
#include "process/text.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost::process {
namespace {

template <auto method> using UpstreamFunction = TableFunction<method, SKH_FAILED>;

// A name or a revision that the host has listed is shorter.
constexpr std::size_t maxTextBytes = 16U << 10U;
// Documents in one question, and their packed bytes.
constexpr std::size_t maxAskedDocuments = 64, maxAskedBytes = 256U << 10U;

// Returns the host's status for a document with a name or a revision that is never listed; SKH_OK:
// it may be listed.
skh_status statusOfTooLong(const skh_document &document) {
  if (std::max(document.skill.size, document.path.size) > maxTextBytes) return SKH_NOT_FOUND;
  return document.revision.size > maxTextBytes ? SKH_STALE : SKH_OK;
}

// A document that is asked for, with its index in the filter's list.
using Asked = std::pair<std::size_t, const skh_document *>;

// Packs the fields that the host uses.
void packPlace(Packer &packer, const skh_document &document) {
  skh_document place{};
  place.size = sizeof place;
  place.skill = document.skill;
  place.path = document.path;
  place.revision = document.revision;
  pack(packer, place);
}

// Calls onRecord(record, from) for each record until it returns another status than SKH_OK. A piece
// is released as soon as it was read.
template <class OnRecord>
skh_status eachRecord(std::vector<std::string> pieces, const OnRecord &onRecord) {
  for (std::string &piece : pieces) {
    const std::string records = std::move(piece);
    Unpacker from(records);
    while (from.hasMore()) {
      const auto record = static_cast<Record>(from.u8());
      if (const skh_status status = onRecord(record, from); status != SKH_OK) return status;
    }
    if (!from.good()) return SKH_FAILED;
  }
  return SKH_OK;
}

template <class Pack>
skh_status ask(const skh_call *call, Operation operation, const Pack &pack,
               std::vector<std::string> &pieces) {
  RunnerCall *const running = RunnerCall::find(call);
  if (running == nullptr) return SKH_INVALID;
  return running->askUpstream(
      [&](Packer &packer) {
        packer.u8(static_cast<std::uint8_t>(operation));
        pack(packer);
      },
      pieces);
}

template <class Pack>
skh_status askForDocuments(const skh_call *call, Operation operation, const Pack &pack,
                           const skh_documents &out) {
  std::vector<std::string> pieces;
  if (const skh_status status = ask(call, operation, pack, pieces); status != SKH_OK) return status;
  return eachRecord(std::move(pieces), [&out](Record record, Unpacker &from) -> skh_status {
    if (record == Record::Document) {
      const skh_document document = unpackDocument(from);
      return from.good() ? out.add(&out, &document) : SKH_FAILED;
    }
    const skh_str snapshot = toSkhStr(from.text());
    return record == Record::Done && from.good() ? out.done(&out, snapshot) : SKH_FAILED;
  });
}

template <class Pack>
skh_status askForBytes(const skh_call *call, Operation operation, const Pack &pack,
                       const skh_bytes &out) {
  std::vector<std::string> pieces;
  if (const skh_status status = ask(call, operation, pack, pieces); status != SKH_OK) return status;
  return eachRecord(std::move(pieces), [&out](Record record, Unpacker &from) -> skh_status {
    const std::string_view bytes = from.text();
    if (record != Record::Bytes || !from.good()) return SKH_FAILED;
    return out.write(&out, bytes.data(), bytes.size());
  });
}

// Removes the documents that were read from `which`. The host reads at least one.
skh_status askForReadings(const skh_call *call, std::vector<Asked> &which,
                          const skh_readings &out) {
  std::vector<std::string> pieces;
  const auto packAll = [&which](Packer &packer) {
    packer.u32(static_cast<std::uint32_t>(which.size()));
    for (const auto &[index, document] : which) packPlace(packer, *document);
  };
  if (const skh_status status = ask(call, Operation::ReadEach, packAll, pieces); status != SKH_OK)
    return status;
  std::string bytes;
  std::vector<bool> isRead(which.size());
  const auto onRecord = [&](Record record, Unpacker &from) -> skh_status {
    if (record == Record::Bytes) {
      bytes += from.text();
      return SKH_OK;
    }
    const std::uint32_t place = from.u32();
    const skh_status status = from.i32();
    const std::string_view why = from.text();
    if (record != Record::Reading || !from.good() || place >= which.size()) return SKH_FAILED;
    isRead[place] = true;
    const skh_status taken =
        out.add(&out, which[place].first, status, toSkhStr(status == SKH_OK ? bytes : why));
    bytes.clear();
    return taken;
  };
  if (const skh_status status = eachRecord(std::move(pieces), onRecord); status != SKH_OK)
    return status;
  std::vector<Asked> left;
  for (std::size_t i = 0; i < which.size(); ++i)
    if (!isRead[i]) left.push_back(which[i]);
  if (left.size() == which.size()) return SKH_FAILED;
  which.swap(left);
  return SKH_OK;
}

} // namespace

RunnerUpstream::RunnerUpstream(std::string name)
    : name_(std::move(name)), raw_({sizeof(skh_upstream), 0, toSkhStr(name_),
                                    &UpstreamFunction<&RunnerUpstream::list>::call,
                                    &UpstreamFunction<&RunnerUpstream::changes>::call,
                                    &UpstreamFunction<&RunnerUpstream::read>::call,
                                    &UpstreamFunction<&RunnerUpstream::readEach>::call,
                                    &UpstreamFunction<&RunnerUpstream::facts>::call},
                                   this) {}

skh_status RunnerUpstream::list(const skh_call *call, const skh_documents *out) {
  return askForDocuments(call, Operation::List, [](Packer &) {}, *out);
}

skh_status RunnerUpstream::changes(const skh_call *call, skh_str since, const skh_documents *out) {
  if (since.size > maxTextBytes) return SKH_STALE;
  return askForDocuments(
      call, Operation::Changes, [since](Packer &packer) { packer.text(toStringView(since)); },
      *out);
}

skh_status RunnerUpstream::read(const skh_call *call, const skh_document *which,
                                const skh_bytes *out) {
  if (const skh_status status = statusOfTooLong(*which); status != SKH_OK) return status;
  return askForBytes(
      call, Operation::Read, [which](Packer &packer) { packPlace(packer, *which); }, *out);
}

skh_status RunnerUpstream::readEach(const skh_call *call, const skh_document *const *which,
                                    size_t count, const skh_readings *out) {
  std::vector<Asked> asked;
  std::size_t bytes = 0;
  const auto askForAll = [&] {
    skh_status status = SKH_OK;
    while (status == SKH_OK && !asked.empty()) status = askForReadings(call, asked, *out);
    bytes = 0;
    return status;
  };
  for (std::size_t i = 0; i < count; ++i) {
    const skh_document &one = *std::span(which, count)[i];
    if (const skh_status status = statusOfTooLong(one); status != SKH_OK) {
      const std::string why = name_ + (status == SKH_STALE ? ": the document has another revision"
                                                           : ": has not listed that document");
      if (const skh_status taken = out->add(out, i, status, toSkhStr(why)); taken != SKH_OK)
        return taken;
      continue;
    }
    const std::size_t size = one.skill.size + one.path.size + one.revision.size;
    if (asked.size() == maxAskedDocuments || bytes + size > maxAskedBytes)
      if (const skh_status status = askForAll(); status != SKH_OK) return status;
    bytes += size;
    asked.emplace_back(i, &one);
  }
  return askForAll();
}

skh_status RunnerUpstream::facts(const skh_call *call, skh_str snapshot, const skh_bytes *out) {
  if (snapshot.size > maxTextBytes) return SKH_STALE;
  return askForBytes(
      call, Operation::Facts, [snapshot](Packer &packer) { packer.text(toStringView(snapshot)); },
      *out);
}

} // namespace skillhost::process
