/* SPDX-License-Identifier: Apache-2.0 */
#include "documents.h"

const struct document documents[] = {
    {"commit-message", "SKILL.md",
     "---\n"
     "name: commit-message\n"
     "description: Writes the message of a commit from its diff. Use it when the user asks to "
     "commit "
     "or to describe a change.\n"
     "---\n"
     "# Commit messages\n"
     "\n"
     "1. Read the whole staged diff before writing anything.\n"
     "2. First line: what the change does, in the imperative, at most 72 characters, no full "
     "stop.\n"
     "3. Body: why it was needed and what a reviewer could not see from the diff.\n"
     "4. Do not list files; the commit does that.\n"
     "\n"
     "Good and bad first lines are in references/first-lines.md.\n"},
    {"commit-message", "references/first-lines.md",
     "| instead of | write |\n"
     "|---|---|\n"
     "| fixed bug | Stop counting cancelled orders as revenue |\n"
     "| update deps | Move to libfoo 3: version 2 no longer gets fixes |\n"
     "| wip | (do not commit it) |\n"},
    {"shell-quoting", "SKILL.md",
     "---\n"
     "name: shell-quoting\n"
     "description: Rules for quoting in POSIX shell scripts. Use it when writing or reviewing a "
     "shell script that handles file names or user input.\n"
     "---\n"
     "# Quoting in shell scripts\n"
     "\n"
     "* Quote every expansion: \"$name\", \"$@\", \"$(command)\".\n"
     "* Put -- before arguments that come from elsewhere: rm -- \"$file\".\n"
     "* Loop over files with find … -exec … {} +, never over the output of ls.\n"},
};

const size_t document_count = sizeof documents / sizeof documents[0];
