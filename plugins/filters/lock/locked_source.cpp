// SPDX-License-Identifier: Apache-2.0
#include "lock/locked_source.hpp"

#include "base/fault.hpp"
#include "document_digests.hpp"
#include "ground/counted.hpp"

#include <algorithm>
#include <span>

namespace skillhost {

// The state of one listing.
struct LockedSource::Judgement {
  Snapshot snapshot; // with the documents of the skills that are not refused
  ResultCallback<Snapshot> answer;
  std::vector<Document> unread; // their bytes have not been compared yet
  bool believed = false;        // without comparing bytes
};

LockedSource::LockedSource(std::shared_ptr<Source> source, SourceLock lock, std::string file)
    : source_(std::move(source)), lock_(std::move(lock)), file_(std::move(file)) {}

void LockedSource::onChanged(std::function<void()> listener) {
  listener_.with([&](auto &current) { current = listener; });
  source_->onChanged(std::move(listener));
}

void LockedSource::list(CallOptions options, ResultCallback<Snapshot> answer) {
  source_->list(options, [self = shared_from_this(), options,
                          answer = std::move(answer)](Result<Snapshot> listed) {
    if (!listed) return answer(std::move(listed));
    self->compareWithLock(options, *std::move(listed), answer);
  });
}

void LockedSource::compareWithLock(const CallOptions &options, Snapshot snapshot,
                                   const ResultCallback<Snapshot> &answer) {
  mustCompareAgain_ = false;
  auto judgement = std::make_shared<Judgement>();
  judgement->answer = answer;
  Snapshot &out = judgement->snapshot;
  out.revision = std::move(snapshot.revision);
  out.facts = std::move(snapshot.facts);
  // The documents are sorted by skill, so those of one skill are contiguous.
  for (auto begin = snapshot.documents.begin(); begin != snapshot.documents.end();) {
    const auto end = std::find_if(begin, snapshot.documents.end(), [&](const Document &document) {
      return document.skill != begin->skill;
    });
    const auto locked = lock_.skills.find(begin->skill);
    const std::string why = locked == lock_.skills.end()
                                ? "it is not in " + file_
                                : differenceOf(locked->second, std::span(begin, end));
    if (!why.empty())
      out.refused[begin->skill] = locked == lock_.skills.end() ? why : why + " (" + file_ + ')';
    else
      out.documents.insert(out.documents.end(), begin, end);
    begin = end;
  }
  // If a source went back to the locked snapshot, its bytes are compared only when they are read,
  // unless that has failed before.
  judgement->believed =
      !hasMismatched_ && !lock_.snapshot.empty() && out.revision == lock_.snapshot;
  for (const Document &document : out.documents)
    if (!judgement->believed && !isVerified(document)) judgement->unread.push_back(document);
  if (judgement->unread.empty()) return finishListing(*judgement);
  digestDocuments(*source_, options, judgement->unread,
                  [self = shared_from_this(), judgement](const DocumentDigests &digests) {
                    for (std::size_t i = 0; i < digests.size(); ++i) {
                      const Document &document = judgement->unread[i];
                      if (!digests[i] && isTransient(digests[i].failure().fault))
                        return judgement->answer(digests[i].failure());
                      std::string why = digests[i]
                                            ? self->mismatch(document, *digests[i])
                                            : "it cannot be read: " + digests[i].failure().message;
                      if (!why.empty())
                        judgement->snapshot.refused.try_emplace(document.skill, std::move(why));
                    }
                    self->finishListing(*judgement);
                  });
}

void LockedSource::finishListing(Judgement &judgement) {
  Snapshot &out = judgement.snapshot;
  std::erase_if(out.documents,
                [&](const Document &document) { return out.refused.contains(document.skill); });
  std::map<Place, std::string> verified;
  if (!judgement.believed)
    for (const Document &document : out.documents)
      verified[{document.skill, document.path}] = document.revision;
  verified_.with([&](auto &all) { all.swap(verified); });
  for (const auto &[skill, documents] : lock_.skills) {
    const auto first = std::lower_bound(out.documents.begin(), out.documents.end(), skill,
                                        [](const Document &document, const std::string &wanted) {
                                          return document.skill < wanted;
                                        });
    if (first == out.documents.end() || first->skill != skill)
      out.refused.try_emplace(skill, "it is in " + file_ + ", and the source no longer has it");
  }
  judgement.answer(std::move(out));
}

bool LockedSource::isVerified(const Document &document) const {
  return verified_.with([&](const auto &all) {
    const auto found = all.find({document.skill, document.path});
    return found != all.end() && found->second == document.revision;
  });
}

std::string LockedSource::mismatch(const Document &document, const LockedDocument &found) const {
  const auto skill = lock_.skills.find(document.skill);
  if (skill == lock_.skills.end()) return "it is not in " + file_;
  const auto locked = skill->second.find(document.path);
  if (locked == skill->second.end()) return document.path + " is not in " + file_;
  if (locked->second.digest == found.digest && locked->second.size == found.size) return {};
  return document.path + " has " + counted(found.size, "byte") + " with BLAKE3 " + found.digest +
         ", and " + file_ + " says " + std::to_string(locked->second.size) + " with " +
         locked->second.digest;
}

void LockedSource::changes(CallOptions options, std::string since, ResultCallback<Changes> answer) {
  if (mustCompareAgain_)
    return answer({Fault::Stale, name() + ": other bytes came than were listed"});
  source_->changes(
      std::move(options), since,
      [self = shared_from_this(), since, answer = std::move(answer)](Result<Changes> changes) {
        if (changes && changes->revision != since)
          return answer({Fault::Stale, self->name() + ": it is judged as a whole"});
        answer(std::move(changes));
      });
}

Result<std::string> LockedSource::checked(const Document &document, Result<std::string> bytes) {
  if (!bytes) return bytes;
  const std::string why = mismatch(document, digestOf(document, *bytes));
  if (why.empty()) return bytes;
  verified_.with([&](auto &all) { all.erase({document.skill, document.path}); });
  hasMismatched_ = true;
  // The listener makes new lists, without the skill.
  if (!mustCompareAgain_.exchange(true))
    if (const std::function<void()> listener = listener_.copy()) listener();
  return {Fault::Corrupt, name() + '/' + document.skill + " is not as it was locked: " + why +
                              "; if that is wanted, run skillhost lock"};
}

void LockedSource::read(CallOptions options, Document document, std::size_t limit,
                        ResultCallback<std::string> answer) {
  source_->read(
      std::move(options), document, limit,
      [self = shared_from_this(), document, answer = std::move(answer)](Result<std::string> bytes) {
        answer(self->checked(document, std::move(bytes)));
      });
}

void LockedSource::readEach(CallOptions options, std::vector<Document> documents, std::size_t limit,
                            Each each, std::function<void()> done) {
  auto all = std::make_shared<const std::vector<Document>>(documents);
  source_->readEach(
      std::move(options), std::move(documents), limit,
      [self = shared_from_this(), all, each = std::move(each)](std::size_t i,
                                                               Result<std::string> bytes) {
        each(i, self->checked((*all)[i], std::move(bytes)));
      },
      std::move(done));
}

} // namespace skillhost
