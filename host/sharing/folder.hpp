// SPDX-License-Identifier: Apache-2.0
// The folder in which one replica puts down a source for the others: objects and manifests by their
// digests, and which manifest is the newest.
#pragma once

#include "ground/blake3.hpp"
#include "ground/descriptor.hpp"
#include "ground/result.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace skillhost {

// Which manifest is the newest.
struct SharedHead {
  std::uint64_t number = 0;
  std::string manifest; // the digest of its text, 64 hexadecimal digits

  bool operator==(const SharedHead &) const = default;
};

// Nothing in it is believed: what is read has its digest, or is a failure, and the head has a code
// that only the replicas can make. No link below the folder is followed. Several processes, on
// several machines, may use one at once. Any thread; waits for the file system. Failures name the
// file: Unavailable when the folder cannot be used now, Denied when others might write to it,
// Corrupt for what is damaged or gone.
class SharedFolder {
public:
  // The code of a head, as 64 hexadecimal digits.
  using Code = std::function<std::string(const SharedHead &)>;

  // `path` exists or can be made; what this one source has is in the folder `name` of it.
  SharedFolder(std::string path, std::string name, Code code);

  // Nothing when no replica has written one yet.
  Result<std::optional<SharedHead>> head();
  Result<std::string> manifest(const std::string &digest);
  Result<std::string> object(const Blake3::Digest &digest, std::uint64_t size);

  // Is there a file of that size? Its bytes are looked at when it is read.
  bool hasObject(const Blake3::Digest &digest, std::uint64_t size);
  // On disk with the next head. What is there already is taken for whole and marked as used, unless
  // `isDamaged`, and then it is replaced.
  Status putObject(const Blake3::Digest &digest, std::string_view bytes, bool isDamaged = false);
  // The manifest, and once all objects are on disk the head.
  Status publish(std::uint64_t number, std::string_view manifest);
  // The manifest of a head, where its file is damaged or gone.
  Status mendManifest(std::string_view text);
  // Removes manifests but those named here, objects but those named here, and what writers that
  // were killed have left: each when it was last written more than `age` before `now`, the time of
  // the file system's own clock.
  using Age = std::chrono::seconds;
  void sweep(const std::set<std::string> &manifests, const std::set<std::string> &objects, Age age);

private:
  Status open(bool writes);
  Status makeParts(Descriptor &top);
  Result<std::string> readChecked(int folder, const std::string &name, std::string_view digest,
                                  std::size_t most);
  Status write(int folder, const std::string &name, std::string_view bytes, bool flushes);
  void sweepFolder(int folder, const std::string &where, const std::set<std::string> &kept,
                   std::int64_t before);
  std::string shown(const std::string &below) const;

  const std::string path_, name_;
  const Code code_;
  std::mutex mutex_; // of what is opened once, and then stays
  Descriptor top_, objects_, manifests_;
};

} // namespace skillhost
