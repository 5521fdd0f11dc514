// SPDX-License-Identifier: Apache-2.0
#include "package_names.hpp"

#include "ground/text.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

namespace skillhost {
namespace {

enum class Registry : std::uint8_t { Python, Node };

// The most installed packages with at least five letters.
constexpr std::array<std::string_view, 92> python{"requests",
                                                  "numpy",
                                                  "pandas",
                                                  "scipy",
                                                  "matplotlib",
                                                  "seaborn",
                                                  "scikit-learn",
                                                  "tensorflow",
                                                  "torch",
                                                  "torchvision",
                                                  "transformers",
                                                  "flask",
                                                  "django",
                                                  "fastapi",
                                                  "uvicorn",
                                                  "pydantic",
                                                  "sqlalchemy",
                                                  "psycopg2",
                                                  "psycopg2-binary",
                                                  "pymongo",
                                                  "redis",
                                                  "celery",
                                                  "boto3",
                                                  "botocore",
                                                  "urllib3",
                                                  "certifi",
                                                  "cryptography",
                                                  "pillow",
                                                  "opencv-python",
                                                  "beautifulsoup4",
                                                  "selenium",
                                                  "playwright",
                                                  "httpx",
                                                  "aiohttp",
                                                  "websockets",
                                                  "click",
                                                  "typer",
                                                  "colorama",
                                                  "python-dotenv",
                                                  "pyyaml",
                                                  "jinja2",
                                                  "markdown",
                                                  "openpyxl",
                                                  "xlsxwriter",
                                                  "pypdf2",
                                                  "pypdf",
                                                  "pdfplumber",
                                                  "reportlab",
                                                  "python-docx",
                                                  "python-pptx",
                                                  "pytest",
                                                  "black",
                                                  "flake8",
                                                  "pylint",
                                                  "mypy",
                                                  "poetry",
                                                  "setuptools",
                                                  "virtualenv",
                                                  "jupyter",
                                                  "jupyterlab",
                                                  "notebook",
                                                  "ipython",
                                                  "streamlit",
                                                  "gradio",
                                                  "plotly",
                                                  "dash",
                                                  "polars",
                                                  "pyarrow",
                                                  "langchain",
                                                  "langgraph",
                                                  "openai",
                                                  "anthropic",
                                                  "litellm",
                                                  "chromadb",
                                                  "tiktoken",
                                                  "huggingface-hub",
                                                  "datasets",
                                                  "accelerate",
                                                  "paramiko",
                                                  "fabric",
                                                  "ansible",
                                                  "docker",
                                                  "kubernetes",
                                                  "google-cloud-storage",
                                                  "azure-identity",
                                                  "azure-storage-blob",
                                                  "networkx",
                                                  "sympy",
                                                  "biopython",
                                                  "rdkit",
                                                  "yt-dlp",
                                                  "mcp"};
constexpr std::array<std::string_view, 66> node{
    "react",         "react-dom",    "express",    "lodash",     "axios",        "chalk",
    "commander",     "typescript",   "webpack",    "eslint",     "prettier",     "jest",
    "mocha",         "vitest",       "next",       "vue",        "svelte",       "angular",
    "electron",      "puppeteer",    "playwright", "cheerio",    "dotenv",       "cross-env",
    "nodemon",       "ts-node",      "esbuild",    "rollup",     "vite",         "tailwindcss",
    "postcss",       "autoprefixer", "babel-core", "mongoose",   "mongodb",      "sequelize",
    "prisma",        "redis",        "socket.io",  "ws",         "uuid",         "moment",
    "dayjs",         "date-fns",     "rxjs",       "redux",      "zustand",      "graphql",
    "apollo-server", "fastify",      "koa",        "passport",   "jsonwebtoken", "bcrypt",
    "bcryptjs",      "nodemailer",   "multer",     "sharp",      "inquirer",     "yargs",
    "minimist",      "request",      "node-fetch", "discord.js", "openai",       "wrangler"};
// Well-known packages that resemble another one.
constexpr std::array<std::string_view, 39> theirOwn{
    "preact",  "request", "requests", "httpx2",   "https",    "flaskr",  "redis",    "rediss",
    "vuex",    "nuxt",    "nextra",   "axis",     "mocha",    "bcrypt",  "bcryptjs", "pypdf",
    "pypdf2",  "pypdf3",  "pypdf4",   "polar",    "polars",   "dataset", "datasets", "torch",
    "jupyter", "sharp",   "rollup",   "vitest",   "vite",     "jest",    "pytests",  "docker",
    "dockers", "dotenv",  "psycopg",  "psycopg2", "psycopg3", "black",   "markdown2"};

const RE2 &installs() {
  static const RE2 &command = *new RE2(
      R"re((?i)(?:^|[\s;&|(`"'$!])((?:python[23]?\s+-m\s+)?pip[23]?\s+install|pipx\s+(?:install|run)|uv\s+(?:pip\s+install|add|tool\s+install)|uvx|poetry\s+add|(?:npm|pnpm|bun)\s+(?:install|i|add)|yarn\s+(?:global\s+)?add|npx|bunx)\s+([^;&|`\n#]*))re",
      RE2::Quiet);
  return command;
}

// Returns true if one character was changed, added or left out, or two neighbours were swapped.
bool oneSlip(std::string_view a, std::string_view b) noexcept {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > 1 || a == b) return false;
  std::size_t same = 0;
  while (same < a.size() && a[same] == b[same]) ++same;
  if (a.size() < b.size()) return a.substr(same) == b.substr(same + 1);
  if (a.substr(same + 1) == b.substr(same + 1)) return true;
  return same + 1 < a.size() && a[same] == b[same + 1] && a[same + 1] == b[same] &&
         a.substr(same + 2) == b.substr(same + 2);
}

template <std::size_t count>
std::string_view meantBy(const std::array<std::string_view, count> &known, std::string_view name) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return {};
  for (const std::string_view one : known)
    if (one.size() >= 5 && oneSlip(name, one)) return one;
  return {};
}

} // namespace

std::optional<LookAlikePackage> findLookAlikePackage(std::string_view line) {
  re2::StringPiece command;
  re2::StringPiece names;
  if (!RE2::PartialMatch(re2::StringPiece(line.data(), line.size()), installs(), &command, &names))
    return std::nullopt;
  const std::string_view tool(command.data(), command.size());
  const bool isNode = tool.find("np") != std::string_view::npos ||
                      tool.find("yarn") != std::string_view::npos ||
                      tool.find("bun") != std::string_view::npos;
  std::string_view rest(names.data(), names.size());
  for (int left = 50; left > 0 && !rest.empty(); --left) {
    const std::size_t start = rest.find_first_not_of(" \t\"'");
    if (start == std::string_view::npos) break;
    rest.remove_prefix(start);
    std::string_view word = rest.substr(0, rest.find_first_of(" \t\"'"));
    rest.remove_prefix(word.size());
    const std::string_view whole = word;
    word = word.substr(0, word.find_first_of("@=<>[~!^;,)"));
    if (word.size() < 4 || word.starts_with('-') || word.find('/') != std::string_view::npos)
      continue;
    std::string name(word);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c == '_' ? '-' : asciiLowered(c); });
    if (std::find(theirOwn.begin(), theirOwn.end(), name) != theirOwn.end()) continue;
    const std::string_view meant = isNode ? meantBy(node, name) : meantBy(python, name);
    if (!meant.empty())
      return LookAlikePackage{name, std::string(meant),
                              static_cast<std::size_t>(whole.data() - line.data())};
  }
  return std::nullopt;
}

} // namespace skillhost
