// SPDX-License-Identifier: Apache-2.0
#include "packets.hpp"

#include "ground/hexadecimal.hpp"

#include <array>
#include <utility>

namespace skillhost::git {
namespace {

constexpr std::size_t lengthDigits = 4;
constexpr std::size_t maxPrefixes = 1'000;
// Each step can cost more bytes in the answer than in the request, which may be compressed.
constexpr std::size_t maxSteps = 20'000;
// Git sends one flush packet behind the wanted objects in each request over HTTP.
constexpr std::size_t maxRounds = 16;

Failure malformed(std::string_view what) {
  return {Fault::InvalidInput, "the request is malformed: " + std::string(what)};
}

// Returns the text behind the word, if the line begins with it.
std::optional<std::string_view> behind(std::string_view line, std::string_view word) {
  if (!line.starts_with(word)) return std::nullopt;
  return line.substr(word.size());
}

// Takes the capabilities of version 0 behind the first wanted object.
bool takeCapabilities(std::string_view words, Fetch &fetch) {
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    if (word == "side-band-64k")
      fetch.sideBand = true;
    else if (word == "multi_ack_detailed")
      fetch.detailedAcks = true;
    else if (word == "thin-pack")
      fetch.takesDeltas = true;
    else if (word == "no-progress")
      fetch.noProgress = true;
    else if (word.starts_with("object-format=") && word != "object-format=sha1")
      return false;
  }
  return true;
}

// Takes a line that both forms of a request have. Returns false if it is no such line, or wrong.
bool takeCommonLine(std::string_view line, Fetch &fetch) {
  if (const auto id = behind(line, "want ")) {
    const auto wanted = idFromHex(*id);
    if (wanted) fetch.wants.push_back(*wanted);
    return wanted.has_value();
  }
  // Every commit is without a parent, so what the client has of other commits does not matter.
  if (line.starts_with("shallow ")) return true;
  if (!line.starts_with("deepen")) return false;
  fetch.deepens = true;
  return true;
}

// Steps beyond the limit are ignored: the client then receives objects that it has.
void addStep(Fetch &fetch, Fetch::Step step) {
  if (fetch.steps.size() < maxSteps) fetch.steps.push_back(step);
}

Result<Fetch> readFetchArguments(PacketReader &reader) {
  Fetch fetch;
  while (const auto packet = reader.next()) {
    if (packet->kind == Packet::Kind::Flush) return fetch;
    if (packet->kind != Packet::Kind::Text) break;
    const std::string_view line = packet->text;
    if (const auto digits = behind(line, "have ")) {
      const auto id = idFromHex(*digits);
      if (!id) return malformed("a have line has no object id");
      addStep(fetch, {id});
    } else if (line == "done") {
      fetch.done = true;
    } else if (line == "thin-pack") {
      fetch.takesDeltas = true;
    } else if (line == "no-progress") {
      fetch.noProgress = true;
    } else if (!takeCommonLine(line, fetch) && line != "ofs-delta" && line != "include-tag") {
      return malformed("fetch has no argument such as " + std::string(line.substr(0, 100)));
    }
  }
  return malformed("it has no end");
}

Result<ListRefs> readRefsArguments(PacketReader &reader) {
  ListRefs list;
  while (const auto packet = reader.next()) {
    if (packet->kind == Packet::Kind::Flush) return list;
    if (packet->kind != Packet::Kind::Text) break;
    if (packet->text == "symrefs") list.symrefs = true;
    if (const auto prefix = behind(packet->text, "ref-prefix ");
        prefix && list.prefixes.size() < maxPrefixes)
      list.prefixes.emplace_back(*prefix);
  }
  return malformed("it has no end");
}

} // namespace

std::string packetLength(std::size_t bytes) {
  const std::size_t all = bytes + lengthDigits;
  const std::array<unsigned char, 2> both{static_cast<unsigned char>(all >> 8U),
                                          static_cast<unsigned char>(all)};
  return hexadecimal(both);
}

void appendPacket(std::string &out, std::string_view text) {
  out.append(packetLength(text.size())).append(text);
}

std::string errorPacket(std::string_view text) {
  std::string out;
  appendPacket(out, "ERR " + std::string(text.substr(0, maxPacketBytes / 2)));
  return out;
}

std::optional<Packet> PacketReader::next() {
  std::array<unsigned char, 2> both;
  if (rest_.size() < lengthDigits || !readHexadecimal(rest_.substr(0, lengthDigits), both))
    return std::nullopt;
  const std::size_t all = std::size_t{both[0]} << 8U | both[1];
  if (all < 2) {
    rest_.remove_prefix(lengthDigits);
    return Packet{all == 0 ? Packet::Kind::Flush : Packet::Kind::Delimiter, {}};
  }
  if (all < lengthDigits || all > maxPacketBytes + lengthDigits || all > rest_.size())
    return std::nullopt;
  std::string_view text = rest_.substr(lengthDigits, all - lengthDigits);
  rest_.remove_prefix(all);
  if (text.ends_with('\n')) text.remove_suffix(1);
  return Packet{Packet::Kind::Text, text};
}

Result<std::variant<ListRefs, Fetch>> readCommand(std::string_view body) {
  using Command = std::variant<ListRefs, Fetch>;
  PacketReader reader(body);
  const auto first = reader.next();
  if (!first || first->kind != Packet::Kind::Text) return malformed("it has no command");
  const auto command = behind(first->text, "command=");
  if (!command || (*command != "ls-refs" && *command != "fetch"))
    return malformed("only the commands ls-refs and fetch are served");
  bool hasArguments = false;
  while (!hasArguments) {
    const auto packet = reader.next();
    if (!packet) return malformed("it has no end");
    if (packet->kind == Packet::Kind::Flush) break;
    hasArguments = packet->kind == Packet::Kind::Delimiter;
    if (packet->text.starts_with("object-format=") && packet->text != "object-format=sha1")
      return malformed("the ids of objects are of SHA-1");
  }
  PacketReader none(flushPacket);
  PacketReader &arguments = hasArguments ? reader : none;
  if (*command == "ls-refs") {
    Result<ListRefs> list = readRefsArguments(arguments);
    if (!list) return std::move(list).failure();
    return Command(*std::move(list));
  }
  Result<Fetch> fetch = readFetchArguments(arguments);
  if (!fetch) return std::move(fetch).failure();
  if (fetch->wants.empty()) return malformed("it wants nothing");
  fetch->sideBand = true;
  return Command(*std::move(fetch));
}

Result<Fetch> readFetch(std::string_view body) {
  PacketReader reader(body);
  Fetch fetch;
  for (;;) {
    const auto packet = reader.next();
    if (!packet || packet->kind == Packet::Kind::Delimiter)
      return malformed("the wanted objects have no end");
    if (packet->kind == Packet::Kind::Flush) break;
    std::string_view line = packet->text;
    // The first line also has capabilities.
    constexpr std::size_t wantBytes = 45; // "want ", and 40 digits
    if (fetch.wants.empty() && line.starts_with("want ") && line.size() > wantBytes) {
      if (!takeCapabilities(line.substr(wantBytes), fetch))
        return malformed("the ids of objects are of SHA-1");
      line = line.substr(0, wantBytes);
    }
    if (!takeCommonLine(line, fetch)) return malformed("only want, shallow and deepen are served");
  }
  std::size_t rounds = 0;
  while (!reader.atEnd() && !fetch.done) {
    const auto packet = reader.next();
    if (!packet || packet->kind == Packet::Kind::Delimiter)
      return malformed("a packet is not whole");
    if (packet->kind == Packet::Kind::Flush) {
      if (++rounds > maxRounds) return malformed("it has more than 16 flush packets");
      addStep(fetch, {});
    } else if (packet->text == "done") {
      fetch.done = true;
    } else {
      const auto digits = behind(packet->text, "have ");
      const auto id = digits ? idFromHex(*digits) : std::nullopt;
      if (!id) return malformed("only have and done may follow");
      addStep(fetch, {id});
    }
  }
  return fetch;
}

} // namespace skillhost::git
