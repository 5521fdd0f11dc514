// SPDX-License-Identifier: Apache-2.0
// The names that artefacts have in registries: "registry.example:5000/team/skill:1.2" and
// "…@sha256:…", as the specification of OCI's distribution restricts them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace skillhost::oci {

struct Reference {
  std::string registry;   // host and, where it is not the usual one, port; lower case
  std::string repository; // "team/skill"
  std::string tag;        // "" when there is only a digest
  std::string digest;     // where there is one, it counts, and not the tag

  std::string name() const { return registry + "/" + repository; }
  std::string text() const; // whole, as it is written
  // What a manifest is asked for by.
  const std::string &manifest() const noexcept { return digest.empty() ? tag : digest; }
  // Where its registry is asked: "https://registry.example:5000".
  std::string origin(bool isPlain) const;

  friend bool operator==(const Reference &, const Reference &) = default;
};

// Nothing for what is none: a registry must be named, with a dot, a port, or as "localhost".
// Without tag and digest the tag is "latest". At most 512 bytes.
std::optional<Reference> readReference(std::string_view text);
// The same without tag and digest: "registry.example/team/skill".
std::optional<Reference> readRepository(std::string_view text);

bool isTag(std::string_view text) noexcept; // at most 128 letters, digits, '_', '.' and '-'
// 127.0.0.1, [::1] or localhost, with or without a port.
bool isThisMachine(std::string_view registry) noexcept;

} // namespace skillhost::oci
