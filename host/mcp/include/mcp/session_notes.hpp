// SPDX-License-Identifier: Apache-2.0
// The notes of a session of the legacy family: what the server remembers of it besides the result
// of the handshake, which its id contains. If the notes are lost, the client is still served. All
// replicas write them into one record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>

namespace skillhost {

// A skill that the client has in its context.
struct LoadedSkill {
  std::string name, digest, loadedAt; // loadedAt: UTC, RFC 3339
  std::size_t tokens = 0;
  // The approximate memory for one of these, with its id.
  static constexpr std::size_t bytes = 512;
  bool operator==(const LoadedSkill &) const = default;
};

// A URI of more bytes cannot be subscribed to, because the records that replicas share have no room
// for it.
inline constexpr std::size_t maxSubscribedBytes = 4'096;

// Returns the approximate memory for the note that a resource is subscribed to.
inline std::size_t bytesOfSubscription(const std::string &uri) { return uri.size() + 100; }

struct SessionNotes {
  int logLevel = -1; // -1: none was set
  std::set<std::string> uris;
  std::map<std::string, LoadedSkill> loaded; // by skill id
  bool operator==(const SessionNotes &) const = default;
};

// Says whether the notes have what other replicas have written. Lost: the record in the replicas'
// engine was lost, old or unreadable. Unknown: the engine could not be asked. In both cases the
// notes are those of one replica, and may be old.
enum class NotesAge : std::uint8_t { Current, Lost, Unknown };
using NotesRefreshed = std::function<void(NotesAge age)>;

// Describes a change of the notes. It can be made again, and at every replica, with the same
// outcome.
struct SessionChange {
  enum class Kind : std::uint8_t { LogLevel, Subscribed, Unsubscribed, Loaded, Unloaded };
  Kind kind = Kind::LogLevel;
  std::string name{};  // a URI, or the id of a skill
  LoadedSkill skill{}; // the loaded skill
  int level = -1;      // the new level
  bool operator==(const SessionChange &) const = default;
};

void applyChange(SessionNotes &notes, const SessionChange &change);

// Returns the key of a change: a later change replaces an earlier one with the same key.
std::string subjectOf(const SessionChange &change);

} // namespace skillhost
