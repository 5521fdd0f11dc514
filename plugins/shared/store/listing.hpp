// SPDX-License-Identifier: Apache-2.0
// vfs.json lists every file of a skill, one per line, sorted by path. Text files are text, others
// base64. It is JSON (RFC 8259) that every reader accepts. This reader only accepts the spelling
// that the writer uses, so equal files give equal bytes, and nothing can hide in another spelling.
//
//   {"version":1,"files":[
//   {"path":"SKILL.md","text":"---\nname: pdf\n"},
//   {"path":"logo.png","base64":"iVBORw0="}
//   ]}
#pragma once

#include "store/buffer.hpp"
#include "store/content.hpp"

#include <string>
#include <vector>

namespace skillhost::store {

// The files must be sorted by checkContent(). A text that would be longer than base64 is written as
// base64.
std::string writeListing(const std::vector<File> &files);

// Decodes in place: the views point into the buffer, which must live as long. Throws StoreError
// (Corrupt) for any other spelling, for unsafe or unsorted paths, and for too many files.
std::vector<FileView> readListing(Buffer &text);

} // namespace skillhost::store
