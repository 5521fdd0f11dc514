// SPDX-License-Identifier: Apache-2.0
// Measures the files that a browser loads, compressed as the server sends them. It fails if they exceed the budget, or
// if nothing was built.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const budget = 150 * 1024;
const dist = fileURLToPath(new URL('../dist', import.meta.url));

let total = 0;
for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const compressed = gzipSync(readFileSync(join(entry.parentPath, entry.name)), { level: 9 }).length;
  total += compressed;
  console.log(`${String(compressed).padStart(8)}  ${entry.name}`);
}
console.log(`${String(total).padStart(8)}  of ${budget} bytes`);
if (total === 0) throw new Error('dist is empty: npm run build comes first.');
if (total > budget) {
  console.error(`The console is ${total - budget} bytes over its budget.`);
  process.exit(1);
}
