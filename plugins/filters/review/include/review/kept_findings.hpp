// SPDX-License-Identifier: Apache-2.0
// Keeps the findings in texts by the bytes of the texts, so that the next start examines only the
// texts that are new or have changed. This is a cache: without it every text is examined.
#pragma once

#include "document_digests.hpp"
#include "plugin/source.hpp"
#include "review/examination.hpp"
#include "skillmd/finding.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace skillhost {

// Returns a text that differs if another build may find something else in the same bytes.
std::string versionOfExaminations();

struct KeptFindingsLimits {
  std::size_t fileBytes = std::size_t{64} << 20U;    // findings beyond it are not kept
  std::size_t folderBytes = std::size_t{256} << 20U; // the files unused for longest are removed
};

// The folder has a file for each source, which is replaced as a whole. Servers may share the folder
// without waiting for each other; the last one to write a file wins. Any thread.
class KeptFindings {
public:
  // The findings that were kept of one source.
  class Known {
  public:
    // Returns nothing if this document, with these bytes and this executable bit, was not among
    // the examined ones.
    std::optional<std::vector<Finding>> find(const Document &document,
                                             const LockedDocument &content) const;
    // Number of documents of the source when this was kept.
    std::size_t documents() const noexcept { return documents_; }

  private:
    friend class KeptFindings;
    std::string bytes_; // of the file
    std::size_t documents_ = 0;
    std::unordered_map<std::string_view, std::string_view> findings_; // parts of bytes_
  };

  // `folder` is an absolute path; empty: nothing is kept. `service` tells apart services whose
  // sources have the same names. Findings of another `version` are not used.
  KeptFindings(std::string folder, std::string service,
               std::string version = versionOfExaminations(), KeptFindingsLimits limits = {});

  // Returns an empty object, and logs why, if the file is damaged or was made by another version,
  // or if another user could have changed it: otherwise that user could declare any text harmless.
  std::shared_ptr<const Known> load(const std::string &source) const;
  // Keeps the findings in the documents that could be read; `each` is parallel to them. The
  // findings in other texts of this source are forgotten. A failed write is logged once until a
  // write succeeds.
  void save(const std::string &source, const std::vector<Document> &documents,
            const std::vector<ExaminedPointer> &each) const;

private:
  std::string nameOf(const std::string &source) const; // the name of its file in the folder
  bool read(Known &known) const; // false: it is of another version; throws Damaged
  void limitFolder(int folder, const std::string &own) const;
  void reportNotKept(const std::string &why) const;

  const std::string folder_, service_, version_;
  const KeptFindingsLimits limits_;
  mutable std::atomic<bool> isReported_{false}; // a write has failed
};

} // namespace skillhost
