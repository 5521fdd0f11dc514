// SPDX-License-Identifier: Apache-2.0
// The packets of git's protocol (gitprotocol-common: pkt-line), and the requests made of them.
#pragma once

#include "ground/result.hpp"
#include "objects.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace skillhost::git {

// Most bytes of a packet behind its four digits.
constexpr std::size_t maxPacketBytes = 65'516;
constexpr std::string_view flushPacket = "0000", delimiterPacket = "0001";

// The text has at most maxPacketBytes bytes.
void appendPacket(std::string &out, std::string_view text);
// Returns the four digits before `bytes` bytes.
std::string packetLength(std::size_t bytes);
// Returns the packet that makes git end with "fatal: remote error: " and the text.
std::string errorPacket(std::string_view text);

struct Packet {
  enum class Kind : std::uint8_t { Text, Flush, Delimiter };
  Kind kind = Kind::Text;
  std::string_view text; // without the line end
};

// Reads packets one after the other. The bytes must outlive it.
class PacketReader {
public:
  explicit PacketReader(std::string_view bytes) : rest_(bytes) {}
  bool atEnd() const noexcept { return rest_.empty(); }
  // Returns nothing for a packet that is malformed or not whole, and at the end.
  std::optional<Packet> next();

private:
  std::string_view rest_;
};

// The command ls-refs of version 2.
struct ListRefs {
  bool symrefs = false;
  std::vector<std::string> prefixes; // none: all refs
};

// A request for a pack.
struct Fetch {
  // The part of a request of version 0 behind the wanted objects: a have, or a flush packet.
  struct Step {
    std::optional<ObjectId> have; // none: a flush packet
  };

  std::vector<ObjectId> wants;
  std::vector<Step> steps;  // version 2 has only haves
  bool done = false;        // the client sends no more haves
  bool deepens = false;     // a shallow clone
  bool takesDeltas = false; // of objects that the client has ("thin-pack")
  bool noProgress = false;
  bool sideBand = false;     // version 0; always so in version 2
  bool detailedAcks = false; // version 0: multi_ack_detailed
};

// Both fail with InvalidInput that says what is wrong.
Result<std::variant<ListRefs, Fetch>> readCommand(std::string_view body); // version 2
Result<Fetch> readFetch(std::string_view body);                           // versions 0 and 1

} // namespace skillhost::git
