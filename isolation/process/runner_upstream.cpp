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
constexpr std::size_t longestText = 16U << 10U;
// Documents in one question, and their packed bytes.
constexpr std::size_t documentsAtOnce = 64, bytesAtOnce = 256U << 10U;

bool isTooLong(const skh_document &document) {
  return std::max({document.skill.size, document.path.size, document.revision.size}) > longestText;
}

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

skh_status askForReadings(const skh_call *call, std::span<const skh_document *const> which,
                          std::size_t first, const skh_readings &out) {
  std::vector<std::string> pieces;
  const auto packAll = [which](Packer &packer) {
    packer.u32(static_cast<std::uint32_t>(which.size()));
    for (const skh_document *const one : which) packPlace(packer, *one);
  };
  if (const skh_status status = ask(call, Operation::ReadEach, packAll, pieces); status != SKH_OK)
    return status;
  std::string document;
  return eachRecord(std::move(pieces), [&](Record record, Unpacker &from) -> skh_status {
    if (record == Record::Bytes) {
      document += from.text();
      return SKH_OK;
    }
    const std::uint32_t index = from.u32();
    const skh_status status = from.i32();
    const std::string_view why = from.text();
    if (record != Record::Reading || !from.good() || index >= which.size()) return SKH_FAILED;
    const skh_status taken =
        out.add(&out, first + index, status, toSkhStr(status == SKH_OK ? document : why));
    document.clear();
    return taken;
  });
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
  if (since.size > longestText) return SKH_STALE;
  return askForDocuments(
      call, Operation::Changes, [since](Packer &packer) { packer.text(toStringView(since)); },
      *out);
}

skh_status RunnerUpstream::read(const skh_call *call, const skh_document *which,
                                const skh_bytes *out) {
  if (isTooLong(*which)) return SKH_NOT_FOUND;
  return askForBytes(
      call, Operation::Read, [which](Packer &packer) { packPlace(packer, *which); }, *out);
}

skh_status RunnerUpstream::readEach(const skh_call *call, const skh_document *const *which,
                                    size_t count, const skh_readings *out) {
  const std::span all(which, count);
  for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
    for (std::size_t bytes = 0; end < count && end - begin < documentsAtOnce; ++end) {
      if (isTooLong(*all[end])) return SKH_NOT_FOUND;
      bytes += all[end]->skill.size + all[end]->path.size + all[end]->revision.size;
      if (bytes > bytesAtOnce && end != begin) break;
    }
    const skh_status status = askForReadings(call, all.subspan(begin, end - begin), begin, *out);
    if (status != SKH_OK) return status;
  }
  return SKH_OK;
}

skh_status RunnerUpstream::facts(const skh_call *call, skh_str snapshot, const skh_bytes *out) {
  if (snapshot.size > longestText) return SKH_STALE;
  return askForBytes(
      call, Operation::Facts, [snapshot](Packer &packer) { packer.text(toStringView(snapshot)); },
      *out);
}

} // namespace skillhost::process
