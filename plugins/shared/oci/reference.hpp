// SPDX-License-Identifier: Apache-2.0
// Names of artefacts in registries: "registry.example:5000/team/skill:1.2" and "…@sha256:…", with
// the restrictions of OCI's distribution specification.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace skillhost::oci {

struct Reference {
  std::string registry;   // host, and port if it is not the default; lower case
  std::string repository; // "team/skill"
  std::string tag;        // "" if there is only a digest
  std::string digest;     // if present, it takes precedence over the tag

  std::string name() const { return registry + "/" + repository; }
  std::string text() const; // returns the complete reference as it is written
  // Returns the tag or digest with which to request the manifest.
  const std::string &manifest() const noexcept { return digest.empty() ? tag : digest; }
  // Returns the origin of its registry: "https://registry.example:5000".
  std::string origin(bool isPlain) const;

  friend bool operator==(const Reference &, const Reference &) = default;
};

// Returns nothing if the text is not a reference. A registry must be named, with a dot, with a
// port, or as "localhost". Without tag and digest the tag is "latest". At most 512 bytes.
std::optional<Reference> readReference(std::string_view text);
// Reads a name without tag and digest: "registry.example/team/skill".
std::optional<Reference> readRepository(std::string_view text);

bool isTag(std::string_view text) noexcept; // at most 128 letters, digits, '_', '.' and '-'
// True for 127.0.0.1, [::1] and localhost, with or without a port.
bool isThisMachine(std::string_view registry) noexcept;

} // namespace skillhost::oci
