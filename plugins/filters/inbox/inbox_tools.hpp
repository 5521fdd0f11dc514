// SPDX-License-Identifier: Apache-2.0
// The tools of the inbox.
#pragma once

#include "file_worker.hpp"
#include "inbox/inbox.hpp"
#include "mcp/tool.hpp"

namespace skillhost::inbox {

extern const Tool proposeTool, listTool, showTool, reviewTool;

// Carries out the calls of these tools. It lives longer than the calls.
struct InboxTools {
  InboxSettings settings;
  ProposalStore store;
  FileWorker worker;

  explicit InboxTools(InboxSettings from) : settings(std::move(from)), store(settings.store) {}

  void propose(const ToolCall &tool);
  void list(const ToolCall &tool);
  void show(const ToolCall &tool);
  void review(const ToolCall &tool);
};

} // namespace skillhost::inbox
