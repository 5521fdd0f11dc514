// SPDX-License-Identifier: Apache-2.0
// Groups skills by source and folder. The tree is a flat list of the lines that are visible while some folders are
// open.

import type { SkillRow } from './catalogue';

export interface Folder {
  key: string; // the path, beginning with the source
  name: string;
  folders: Folder[];
  skills: SkillRow[];
  count: number; // number of skills in this folder and below it
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
    parts.pop(); // the last part is the skill, which has a line of its own
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

// Shows a folder that contains only one folder on the same line as that folder.
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
