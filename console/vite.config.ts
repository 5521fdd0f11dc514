// SPDX-License-Identifier: Apache-2.0
// One script, its worker, one style sheet, one icon, each with a hash in its name; nothing inline, because the policy of the server
// allows nothing inline. The page names the SHA-384 of each, so that a changed file is not run.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

// What the page names lies beside it: a proxy may serve all of it below a path of its own.
const base = './';

function integrity(): Plugin {
  let folder = '';
  return {
    name: 'integrity',
    apply: 'build',
    configResolved(configuration) {
      folder = resolve(configuration.root, configuration.build.outDir);
    },
    // After every file is on disk: what is hashed is what is served.
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

// For work on the page: SKILLHOST_ENDPOINT=http://127.0.0.1:8080 npm run dev. The server accepts no web page from
// elsewhere, so Origin goes on as its own.
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
