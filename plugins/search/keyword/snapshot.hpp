// SPDX-License-Identifier: Apache-2.0
// What one commit makes visible: everything a query needs, and nothing that changes.
#pragma once

#include "filter.hpp"
#include "postings.hpp"

#include <memory>
#include <string>
#include <vector>

namespace skillhost::keyword {

struct Entry {
  std::string id, name, description;
  std::string body; // the indexed part
  Attributes attributes;
};

struct Snapshot {
  std::string generation;
  std::vector<std::shared_ptr<const Entry>> entries; // in order of id
  Postings words;
  Postings runs; // of four characters, see forEachRun()
};

} // namespace skillhost::keyword
