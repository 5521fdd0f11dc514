#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Starts the program of this platform's package with this process's standard input, output and error, and exits as the
// program does.
'use strict';

const { spawn } = require('node:child_process');
const os = require('node:os');
const tty = require('node:tty');
const { version } = require('../package.json');

const platforms = { 'linux-arm64': 'skillhost-mcp-linux-arm64', 'linux-x64': 'skillhost-mcp-linux-x64' };

function fail(text) {
  process.stderr.write(`skillhost: ${text}\n`);
  process.exit(1);
}

function program() {
  const platform = `${process.platform}-${process.arch}`;
  const name = platforms[platform];
  if (name === undefined) {
    fail(`there is no package for ${platform}; there is one for ${Object.keys(platforms).join(', ')}`);
  }
  try {
    return require.resolve(`${name}/bin/skillhost`);
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    return fail(`the package ${name} is not installed: it is an optional dependency, which npm leaves out with ` +
      `--omit=optional, on systems without glibc, and when no registry has it. Install it: npm install ${name}; from ` +
      `files: npx ./${name}-${version}.tgz, or npm install with both .tgz files`);
  }
}

const file = program();
const child = spawn(file, process.argv.slice(2), { stdio: 'inherit' });

// A terminal sends these signals to the program itself, so they are not forwarded.
const isAtTerminal = [0, 1, 2].some((number) => tty.isatty(number));
for (const signal of ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) {
  process.on(signal, () => {
    if (!isAtTerminal || !['SIGINT', 'SIGQUIT'].includes(signal)) child.kill(signal);
  });
}

child.on('error', (error) => {
  fail(`${file} cannot be started: ${error.message}; it is for Linux on ${process.arch} with glibc 2.34 or newer`);
});
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code);
  // If the same signal does not end this process, exit with the code that a shell would report.
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  setImmediate(() => process.exit(128 + os.constants.signals[signal]));
});
