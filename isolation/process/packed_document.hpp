// SPDX-License-Identifier: Apache-2.0
// The form of a document of a source in a request or a record.
#pragma once

#include "process/text.hpp"
#include "process/wire.hpp"

#include <skillhost/plugin.h>

#include <string_view>

namespace skillhost::process {

inline void pack(Packer &packer, const skh_document &document) {
  packer.u32(document.flags);
  packer.text(toStringView(document.skill));
  packer.text(toStringView(document.path));
  packer.text(toStringView(document.revision));
  packer.u64(document.length);
  packer.text(SKH_HAS(&document, location) ? toStringView(document.location) : std::string_view{});
}

// The texts point into the unpacked bytes.
inline skh_document unpackDocument(Unpacker &from) {
  skh_document document{};
  document.size = sizeof document;
  document.flags = from.u32();
  document.skill = toSkhStr(from.text());
  document.path = toSkhStr(from.text());
  document.revision = toSkhStr(from.text());
  document.length = from.u64();
  document.location = toSkhStr(from.text());
  return document;
}

} // namespace skillhost::process
