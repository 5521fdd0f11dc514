// SPDX-License-Identifier: Apache-2.0
// vfs.json: every file of a skill, one a line, sorted by path. Text is text, what is not is base64.
// JSON (RFC 8259) that every reader takes; this one takes the very spelling that is written alone,
// so that equal files are equal bytes and nothing can hide between two spellings.
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

// Of files that checkContent() has sorted. A text that would become longer than base64 is base64.
std::string writeListing(const std::vector<File> &files);

// Decodes in place: the views point into the buffer, which must live as long. Throws StoreError
// (Corrupt) for any other spelling, for paths that are not safe or not in order, for too many.
std::vector<FileView> readListing(Buffer &text);

} // namespace skillhost::store
