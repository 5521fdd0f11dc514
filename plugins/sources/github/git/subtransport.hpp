// SPDX-License-Identifier: Apache-2.0
// Lets libgit2 speak through a Conversation of ours in place of its own network code.
#pragma once

#include "library.hpp"

#include "network/conversation.hpp"

#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace skillhost::github {

// State of one connection of libgit2, which its callbacks use. It must outlive the connection.
struct Passage {
  remote::Operation &operation;
  Conversation *conversation = nullptr; // null: libgit2 reads the file system itself
  // Exception of a callback, which cannot pass through libgit2.
  std::exception_ptr failure{};
  // Names the part of the other side's list of references that libgit2 1.5 cannot read, or null.
  const char *obstacle = nullptr;
  bool isListed = false; // the list has been read
  // Last bytes of the list, because a search text may be split between two parts.
  std::string last{};

  // Searches bytes of the list for an obstacle.
  void hear(std::string_view bytes);
  // Searches a repository on this machine for an obstacle, because libgit2 reads that one itself.
  void lookInto(const std::string &repository);
};

// Sets the callbacks that libgit2 needs for a fetch.
void passThrough(git_remote_callbacks &callbacks, Passage &passage);

// If `code` is an error, throws the exception kept by a callback, or else skh::Error with libgit2's
// reason.
void checkPassage(int code, Passage &passage, const std::string &what);

} // namespace skillhost::github
