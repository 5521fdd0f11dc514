// SPDX-License-Identifier: Apache-2.0
#include "remote.hpp"

namespace skillhost::github {

Remote::Remote(ObjectStore &store, const std::string &url, Conversation *conversation,
               remote::Operation &operation)
    : passage_{operation, conversation}, repository_(store.separate()) {
  if (conversation == nullptr) passage_.lookInto(url.substr(std::string_view("file://").size()));
  git_remote_create_options how = GIT_REMOTE_CREATE_OPTIONS_INIT;
  how.repository = repository_.get();
  how.flags = GIT_REMOTE_CREATE_SKIP_INSTEADOF | GIT_REMOTE_CREATE_SKIP_DEFAULT_FETCHSPEC;
  git_remote *raw = nullptr;
  checkGit(git_remote_create_with_opts(&raw, url.c_str(), &how), "url");
  remote_.reset(raw);
  git_remote_connect_options options = GIT_REMOTE_CONNECT_OPTIONS_INIT;
  passThrough(options.callbacks, passage_);
  checkPassage(git_remote_connect_ext(raw, GIT_DIRECTION_FETCH, &options), passage_,
               "the repository cannot be reached");
  readReferences();
}

void Remote::readReferences() {
  const git_remote_head **heads = nullptr;
  std::size_t count = 0;
  checkPassage(git_remote_ls(&heads, &count, remote_.get()), passage_,
               "the repository does not say what it has");
  references_.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    references_.push_back({heads[i]->name, formatId(heads[i]->oid)});
  passage_.isListed = true;
}

void Remote::download(const std::vector<std::string> &wanted) {
  std::vector<std::string> specifications;
  specifications.reserve(wanted.size());
  for (const std::string &one : wanted) {
    const bool isMany = one.ends_with("/*");
    specifications.push_back("+" + one + (isMany ? ":refs/incoming/*" : ":refs/incoming/one"));
  }
  std::vector<char *> texts;
  texts.reserve(specifications.size());
  for (std::string &one : specifications) texts.push_back(one.data());
  const git_strarray list{texts.data(), texts.size()};
  git_fetch_options options = GIT_FETCH_OPTIONS_INIT;
  passThrough(options.callbacks, passage_);
  options.download_tags = GIT_REMOTE_DOWNLOAD_TAGS_NONE;
  checkPassage(git_remote_download(remote_.get(), &list, &options), passage_,
               "the repository cannot be fetched");
}

} // namespace skillhost::github
