// SPDX-License-Identifier: Apache-2.0
// A retrieval test collection in the BEIR layout: corpus.jsonl (with a `body` where there is one),
// queries.jsonl, qrels.tsv.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace skillhost::retrieval {

struct Document {
  std::string id, title, text, body;
};

struct Question {
  std::string id, text;
  std::set<std::string> relevant; // ids of documents, never empty
};

struct Collection {
  std::string name;
  std::vector<Document> documents;
  // Questions that have a relevant document, in the order of the file.
  std::vector<Question> questions;
};

// Throws std::runtime_error that names the file and the line that cannot be read.
Collection readCollection(const std::filesystem::path &folder);

} // namespace skillhost::retrieval
