// SPDX-License-Identifier: Apache-2.0
// Builds one script, its worker, one style sheet and one icon, each with a hash in its name. Nothing is inline, because
// the server's policy forbids that. The page contains the SHA-384 of each file, so that the browser does not run a
// changed file.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

// The page refers to its files relatively, because a proxy may serve it below another path.
const base = './';

function integrity(): Plugin {
  let folder = '';
  return {
    name: 'integrity',
    apply: 'build',
    configResolved(configuration) {
      folder = resolve(configuration.root, configuration.build.outDir);
    },
    // Runs after every file is written, so that the hashes are those of the served files.
    closeBundle() {
      const page = join(folder, 'index.html');
      const html = readFileSync(page, 'utf8');
      const tag = /<(?:script|link)\b[^>]*?\b(?:src|href)="\.\/(assets\/[^"]+\.(?:js|css))"[^>]*>/g;
      let tags = 0;
      const withHashes = html.replace(tag, (element, file: string) => {
        const hash = createHash('sha384').update(readFileSync(join(folder, file))).digest('base64');
        tags += 1;
        return element.replace(/>$/, ` integrity="sha384-${hash}">`);
      });
      if (tags !== 2) throw new Error(`${page}: one script and one style sheet are expected, found ${tags}`);
      writeFileSync(page, withHashes);
    },
  };
}

// To work on the page: SKILLHOST_ENDPOINT=http://127.0.0.1:8080 npm run dev. The server rejects requests from pages of
// other origins, so the proxy sets Origin to the server's own.
const server = process.env['SKILLHOST_ENDPOINT'] ?? 'http://127.0.0.1:8080';
const passedOn = { target: server, changeOrigin: true, headers: { origin: server } };

export default defineConfig({
  base,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    rollupOptions: { output: { codeSplitting: false } },
    reportCompressedSize: true,
  },
  worker: { format: 'es' },
  plugins: [integrity()],
  server: { proxy: { '/mcp': passedOn, '/.well-known': passedOn } },
});
