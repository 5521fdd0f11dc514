// SPDX-License-Identifier: Apache-2.0
#include "process/proxy_upstream.hpp"

#include "ground/c_table.hpp"
#include "process/packed_document.hpp"
#include "process/text.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace skillhost::process {
namespace {

template <auto method> using ResultFunction = TableFunction<method, SKH_TOO_LARGE>;

// Bytes after which the results of read_each() end, because the runner keeps all of them. It asks
// again for the other documents.
constexpr std::size_t maxReadBytes = 16U << 20U;

// Sends the results of the upstream as records, in frames that are not much larger than a batch.
// add() returns the status for a sink of the upstream.
class ResultSender {
public:
  ResultSender(std::uint32_t number, const Receiver::Send &send) : number_(number), send_(send) {}
  template <class Pack> skh_status add(Record record, Pack pack) {
    records_.u8(static_cast<std::uint8_t>(record));
    pack(records_);
    if (records_.size() >= batchBytes) flush();
    return isWanted_ ? SKH_OK : SKH_CANCELLED;
  }
  skh_status addBytes(std::string_view rest) {
    while (!rest.empty() && isWanted_) {
      const std::string_view piece = rest.substr(0, batchBytes);
      rest.remove_prefix(piece.size());
      add(Record::Bytes, [piece](Packer &packer) { packer.text(piece); });
    }
    return isWanted_ ? SKH_OK : SKH_CANCELLED;
  }
  void end(skh_status status) {
    flush();
    Packer reply = replyTo(number_, status);
    reply.text({});
    if (isWanted_) send_(reply);
  }

private:
  void flush() {
    if (records_.size() == 0) return;
    Packer piece;
    piece.u8(static_cast<std::uint8_t>(Operation::Piece));
    piece.u32(number_);
    piece.text(records_.frame().substr(sizeof(std::uint32_t)));
    isWanted_ = isWanted_ && send_(piece);
    records_.clear();
  }

  const std::uint32_t number_;
  const Receiver::Send &send_;
  Packer records_;
  bool isWanted_ = true;
};

class DocumentResults {
public:
  using Raw = OwnedTable<skh_documents>;
  explicit DocumentResults(ResultSender &to)
      : to_(to), raw_({sizeof(skh_documents), 0, &ResultFunction<&DocumentResults::add>::call,
                       &ResultFunction<&DocumentResults::done>::call},
                      this) {}
  const skh_documents *raw() const noexcept { return raw_.get(); }

private:
  skh_status add(const skh_document *document) {
    return to_.add(Record::Document, [document](Packer &packer) { pack(packer, *document); });
  }
  skh_status done(skh_str snapshot) {
    return to_.add(Record::Done,
                   [snapshot](Packer &packer) { packer.text(toStringView(snapshot)); });
  }
  ResultSender &to_;
  Raw raw_;
};

class ByteResults {
public:
  using Raw = OwnedTable<skh_bytes>;
  explicit ByteResults(ResultSender &to)
      : to_(to), raw_({sizeof(skh_bytes), 0, &ResultFunction<&ByteResults::write>::call}, this) {}
  const skh_bytes *raw() const noexcept { return raw_.get(); }

private:
  skh_status write(const void *data, size_t size) {
    return to_.addBytes({static_cast<const char *>(data), size});
  }
  ResultSender &to_;
  Raw raw_;
};

class ReadingResults {
public:
  using Raw = OwnedTable<skh_readings>;
  explicit ReadingResults(ResultSender &to)
      : to_(to),
        raw_({sizeof(skh_readings), 0, &ResultFunction<&ReadingResults::add>::call}, this) {}
  const skh_readings *raw() const noexcept { return raw_.get(); }
  bool isFull() const noexcept { return bytes_ >= maxReadBytes; }

private:
  skh_status add(size_t index, skh_status status, skh_str bytes) {
    const bool isRead = status == SKH_OK;
    if (isRead) to_.addBytes(toStringView(bytes));
    const skh_status added = to_.add(Record::Reading, [&](Packer &packer) {
      packer.u32(static_cast<std::uint32_t>(index));
      packer.i32(status);
      packer.text(isRead ? std::string_view{} : toStringView(bytes));
    });
    bytes_ += bytes.size;
    return added == SKH_OK && isFull() ? SKH_TOO_LARGE : added;
  }
  ResultSender &to_;
  std::size_t bytes_ = 0;
  Raw raw_;
};

skh_status readEach(const skh_upstream &upstream, const skh_call *call, Unpacker &from,
                    ResultSender &to) {
  std::vector<skh_document> documents;
  for (std::uint32_t left = from.u32(); left > 0 && from.good(); --left)
    documents.push_back(unpackDocument(from));
  if (!from.good()) return SKH_INVALID;
  std::vector<const skh_document *> which;
  which.reserve(documents.size());
  for (const skh_document &one : documents) which.push_back(&one);
  const ReadingResults out(to);
  const skh_status status =
      upstream.read_each(&upstream, call, which.data(), which.size(), out.raw());
  return status == SKH_TOO_LARGE && out.isFull() ? SKH_OK : status;
}

} // namespace

bool callUpstream(const skh_upstream &upstream, const skh_call *call, Unpacker &from,
                  const Receiver::Send &send) {
  ResultSender results(from.u32(), send);
  const DocumentResults documents(results);
  const ByteResults bytes(results);
  skh_status status = SKH_INVALID;
  switch (static_cast<Operation>(from.u8())) {
  case Operation::List:
    status = upstream.list(&upstream, call, documents.raw());
    break;
  case Operation::Changes: {
    const skh_str since = toSkhStr(from.text());
    if (from.good()) status = upstream.changes(&upstream, call, since, documents.raw());
    break;
  }
  case Operation::Read: {
    const skh_document which = unpackDocument(from);
    if (from.good()) status = upstream.read(&upstream, call, &which, bytes.raw());
    break;
  }
  case Operation::ReadEach:
    status = readEach(upstream, call, from, results);
    break;
  case Operation::Facts: {
    const skh_str snapshot = toSkhStr(from.text());
    if (from.good()) status = upstream.facts(&upstream, call, snapshot, bytes.raw());
    break;
  }
  default:
    return false;
  }
  if (!from.good() || from.hasMore()) return false;
  results.end(status);
  return true;
}

} // namespace skillhost::process
