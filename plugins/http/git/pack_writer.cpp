// SPDX-License-Identifier: Apache-2.0
#include "pack_writer.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace skillhost::git {
namespace {

constexpr unsigned differenceToId = 7; // REF_DELTA

// Appends a number in groups of seven bits, the lowest first.
void appendNumber(std::string &out, std::size_t number) {
  constexpr std::size_t low = 0x7F, more = 0x80;
  for (; number > low; number >>= 7U) out += static_cast<char>((number & low) | more);
  out += static_cast<char>(number);
}

// Returns the length of the first entry: mode, space, name, NUL and id.
std::size_t entryLength(std::string_view tree) {
  const std::size_t nul = tree.find('\0');
  if (nul == std::string_view::npos) return tree.size();
  return std::min(tree.size(), nul + 1 + std::tuple_size_v<ObjectId>);
}

// Collects the instructions of a difference.
class Instructions {
public:
  explicit Instructions(std::string head) : out_(std::move(head)) {}

  void copy(std::size_t begin, std::size_t length) {
    flushInserted();
    if (copied_ != 0 && copyBegin_ + copied_ == begin) {
      copied_ += length;
    } else {
      flushCopied();
      copyBegin_ = begin;
      copied_ = length;
    }
  }
  void insert(std::string_view bytes) {
    flushCopied();
    inserted_ += bytes;
  }
  std::string finish() {
    flushInserted();
    flushCopied();
    return std::move(out_);
  }

private:
  void flushInserted() {
    constexpr std::size_t longest = 127;
    for (std::string_view rest = inserted_; !rest.empty();) {
      const std::string_view part = rest.substr(0, longest);
      out_ += static_cast<char>(part.size());
      out_ += part;
      rest.remove_prefix(part.size());
    }
    inserted_.clear();
  }
  void flushCopied() {
    constexpr std::size_t longest = 0xFFFFFF;
    while (copied_ != 0) {
      const std::size_t part = std::min(copied_, longest);
      const std::size_t at = out_.size();
      unsigned present = 0x80;
      out_ += '\0';
      for (unsigned i = 0; i < 4; ++i) appendPart(copyBegin_ >> 8U * i, i, present);
      for (unsigned i = 0; i < 3; ++i) appendPart(part >> 8U * i, 4 + i, present);
      out_[at] = static_cast<char>(present);
      copyBegin_ += part;
      copied_ -= part;
    }
  }
  // Bytes that are 0 are left out.
  void appendPart(std::size_t byte, unsigned bit, unsigned &present) {
    if ((byte & 0xFFU) == 0) return;
    out_ += static_cast<char>(byte);
    present |= 1U << bit;
  }

  std::string out_, inserted_;
  std::size_t copyBegin_ = 0, copied_ = 0;
};

} // namespace

PackWriter::PackWriter(std::uint32_t objects) {
  std::string head("PACK\0\0\0\2", 8);
  for (const unsigned shift : {24U, 16U, 8U, 0U}) head += static_cast<char>(objects >> shift);
  write(head);
}

void PackWriter::store(std::string_view bytes) {
  bytes_ += bytes.size();
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, pieceBytes - piece_.size());
    piece_ += part;
    bytes.remove_prefix(part.size());
    if (piece_.size() == pieceBytes)
      pieces_.push_back(std::make_shared<const std::string>(std::exchange(piece_, {})));
  }
}

void PackWriter::write(std::string_view bytes) {
  sum_.add(bytes);
  store(bytes);
}

void PackWriter::addEntry(unsigned type, std::string_view inserted, std::string_view content) {
  constexpr std::size_t lowest = 0xF;
  std::string head;
  const std::size_t rest = content.size() >> 4U;
  head += static_cast<char>((rest != 0 ? 0x80U : 0U) | type << 4U | (content.size() & lowest));
  if (rest != 0) appendNumber(head, rest);
  write(head += inserted);
  write(deflater_.deflate(content));
}

void PackWriter::add(ObjectType type, std::string_view content) {
  addEntry(static_cast<unsigned>(type), {}, content);
}

void PackWriter::addDifference(const ObjectId &base, std::string_view baseText,
                               std::string_view text) {
  addEntry(differenceToId, std::string(base.begin(), base.end()), treeDifference(baseText, text));
}

PackPieces PackWriter::finish() {
  const Sha1::Digest sum = sum_.finish();
  store(std::string(sum.begin(), sum.end()));
  if (!piece_.empty())
    pieces_.push_back(std::make_shared<const std::string>(std::exchange(piece_, {})));
  return std::move(pieces_);
}

std::string treeDifference(std::string_view base, std::string_view text) {
  std::string head;
  appendNumber(head, base.size());
  appendNumber(head, text.size());
  Instructions all(std::move(head));
  // Both are in the same order, so the entries of a name meet, except where an entry is in only one
  // of them. Then the order of the names says in which; a wrong guess only costs bytes.
  const auto nameOf = [](std::string_view entry) {
    const std::size_t space = std::min(entry.find(' '), entry.size() - 1) + 1;
    return entry.substr(space, entry.find('\0') - space);
  };
  std::size_t at = 0;
  while (!text.empty()) {
    const std::string_view entry = text.substr(0, entryLength(text));
    std::string_view old = base.substr(at, entryLength(base.substr(at)));
    while (!old.empty() && old != entry && nameOf(old) < nameOf(entry)) {
      at += old.size();
      old = base.substr(at, entryLength(base.substr(at)));
    }
    if (old == entry) {
      all.copy(at, old.size());
      at += old.size();
    } else {
      all.insert(entry);
    }
    text.remove_prefix(entry.size());
  }
  return all.finish();
}

} // namespace skillhost::git
