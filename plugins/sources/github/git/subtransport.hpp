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

// What the callbacks of one connection of libgit2 lead back to; outlives the connection.
struct Passage {
  remote::Operation &operation;
  Conversation *conversation = nullptr; // null: libgit2 reads the file system itself
  std::exception_ptr failure{};         // what a callback could not throw through libgit2
  // Names the part of the other side's list of references that libgit2 1.5 cannot read, or null.
  const char *obstacle = nullptr;
  bool isListed = false; // the list has been read
  std::string last{};    // bytes of it, as what is looked for may come in two parts

  // Looks for an obstacle in bytes of the list.
  void hear(std::string_view bytes);
  // Looks for an obstacle in a repository on this machine, which libgit2 reads by itself.
  void lookInto(const std::string &repository);
};

// Fills in what libgit2 asks of the callbacks of a fetch.
void passThrough(git_remote_callbacks &callbacks, Passage &passage);

// Throws what a callback kept, else skh::Error with libgit2's reason, when `code` is an error.
void checkPassage(int code, Passage &passage, const std::string &what);

} // namespace skillhost::github
