// SPDX-License-Identifier: Apache-2.0
// Skills by source and folder, as the flat list of lines that is visible with some folders open.

import type { SkillRow } from './catalogue';

export interface Folder {
  key: string; // the path from the source on
  name: string;
  folders: Folder[];
  skills: SkillRow[];
  count: number; // of skills here and below
}

export interface TreeLine {
  key: string;
  level: number; // from 1
  position: number; // among its siblings, from 1
  siblings: number;
  folder?: Folder;
  skill?: SkillRow;
}

export function treeOf(rows: SkillRow[]): Folder[] {
  const root: Folder = { key: '', name: '', folders: [], skills: [], count: 0 };
  const known = new Map<string, Folder>();
  for (const row of rows) {
    const parts = row.id.split('/');
    parts.pop(); // the folder of the skill itself is its line
    let folder = root;
    let key = '';
    for (const part of parts) {
      key = key === '' ? part : `${key}/${part}`;
      folder = folderIn(folder, known, key, part);
      folder.count += 1;
    }
    folder.skills.push(row);
  }
  return root.folders.map(joined);
}

function folderIn(parent: Folder, known: Map<string, Folder>, key: string, name: string): Folder {
  const found = known.get(key);
  if (found) return found;
  const folder: Folder = { key, name, folders: [], skills: [], count: 0 };
  known.set(key, folder);
  parent.folders.push(folder);
  return folder;
}

// A folder that holds nothing but one folder is told in one line with it.
function joined(folder: Folder): Folder {
  let one = folder;
  while (one.skills.length === 0 && one.folders.length === 1 && one.folders[0]) {
    const only = one.folders[0];
    one = { ...only, name: `${one.name}/${only.name}` };
  }
  return { ...one, folders: one.folders.map(joined) };
}

export function linesOf(folders: Folder[], open: ReadonlySet<string>): TreeLine[] {
  const lines: TreeLine[] = [];
  const add = (siblings: Folder[], skills: SkillRow[], level: number): void => {
    const total = siblings.length + skills.length;
    siblings.forEach((folder, at) => {
      lines.push({ key: folder.key, level, position: at + 1, siblings: total, folder });
      if (open.has(folder.key)) add(folder.folders, folder.skills, level + 1);
    });
    skills.forEach((skill, at) => lines.push({ key: skill.uri, level, position: siblings.length + at + 1, siblings: total, skill }));
  };
  add(folders, [], 1);
  return lines;
}
