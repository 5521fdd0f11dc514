// SPDX-License-Identifier: Apache-2.0
#include "search_command.hpp"

namespace skillhost::app {

CommandDescription searchDescription(const ArgumentDescription &help,
                                     const ArgumentDescription &json, const char *group) {
  CommandDescription command{
      "search",
      "Find skills for a task, best first; --top-k says how many.",
      true,
      {help,
       json,
       {{"--explain"}, "", "Say of each skill why it is found.", group},
       {{"--evaluate"},
        "",
        "The last argument is a file of questions, those before it are folders of skills, "
        "without any the sources of the configuration: print how well the skills are found. A "
        "line of the file is {\"text\": \"…\", \"skills\": [\"name\"]}; with [] no skill is to "
        "be found.",
        group},
       {{"--against"},
        "FILE",
        "With --evaluate: compare with how the configuration FILE searches, on the same "
        "skills; of it only search counts.",
        group}},
      {{{"QUERY"},
        "PATH",
        "What needs doing; several words are one query. With --evaluate: [DIR...] FILE.",
        "",
        false,
        true}}};
  command.position = 300;
  return command;
}

} // namespace skillhost::app
