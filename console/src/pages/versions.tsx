// SPDX-License-Identifier: Apache-2.0
// Shows earlier versions of a skill, and the changes between two of them.

import { useMemo, useState } from 'preact/hooks';
import { changedFiles, readVersion, readVersions, type Version, type VersionContent } from '../data/versions';
import { revision } from '../data/server';
import { difference, hunks } from '../text/difference';
import { bytes, clock, count } from '../text/format';
import { oneLine } from '../text/visible';
import { useQuery } from '../ui/hooks';
import { Badge, Field, Loading, Notice, Panel, Table, Unavailable, When } from '../ui/parts';
import { DifferenceView } from '../ui/text_view';

// `gone` means that the skill is not served. Then nothing is shown if no version is known.
export function Versions(props: { id: string; gone?: boolean }) {
  const query = useQuery(`versions:${props.id}`, (signal) => readVersions(props.id, signal), { revision: revision.resources.value });
  const { data, failure } = query;
  const all = data?.all ?? [];
  if (props.gone && all.length === 0) return null;
  return (
    <Panel title={props.gone ? 'Versions that were served' : 'Versions'}>
      {failure && !data && <Unavailable failure={failure} what="Versions" again={query.again} />}
      {!data && !failure && <Loading what="versions" />}
      {data && !data.enabled && <Notice>This server keeps no versions: its configuration has switched that off.</Notice>}
      {data?.withheld && <Notice>What a skill was before is told to managers who see all skills.</Notice>}
      {data?.enabled && !data.withheld && (
        <Table
          label="Versions of the skill"
          empty="No version is known yet."
          rows={all}
          most={60}
          columns={[
            { head: 'First served', cell: (one) => (one.since ? <When time={one.since} /> : '–') },
            { head: 'Until', cell: (one) => (one.until ? <When time={one.until} /> : <Badge tone="good">served</Badge>) },
            { head: 'Digest of SKILL.md', cell: (one) => <code title={one.digest}>{shortDigest(one)}</code> },
            { head: 'Origin', cell: (one) => (one.origin === '' ? '–' : <code title={oneLine(one.origin, 300)}>{oneLine(one.origin, 12)}</code>) },
            { head: 'SKILL.md', numeric: true, cell: (one) => bytes(one.size) },
            { head: 'Files', numeric: true, cell: (one) => count(one.files) },
          ]}
        />
      )}
      {all.length > 1 && <Choice key={all[0]?.number} id={props.id} all={all} />}
    </Panel>
  );
}

function shortDigest(version: Version): string {
  return version.digest.replace(/^blake3:/, '').slice(0, 12);
}

function nameOf(version: Version): string {
  return `${version.since ? clock(version.since) : '–'}, ${shortDigest(version)}${version.until ? '' : ', served'}`;
}

function Choice(props: { id: string; all: Version[] }) {
  const [newer, setNewer] = useState(props.all[0]?.number ?? 0);
  const [older, setOlder] = useState(props.all[1]?.number ?? 0);
  const select = (label: string, value: number, choose: (number: number) => void) => (
    <Field label={label}>
      {({ id }) => (
        <select id={id} value={String(value)} onChange={(event) => choose(Number(event.currentTarget.value))}>
          {props.all.map((one) => (
            <option key={one.number} value={String(one.number)}>
              {nameOf(one)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
  return (
    <>
      <h3>What has changed</h3>
      <div class="filters">
        {select('From', older, setOlder)}
        {select('To', newer, setNewer)}
      </div>
      <Changes key={`${older} ${newer}`} id={props.id} older={older} newer={newer} />
    </>
  );
}

function Changes(props: { id: string; older: number; newer: number }) {
  const both = useQuery(`version:${props.id} ${props.older} ${props.newer}`, (signal) =>
    Promise.all([readVersion(props.id, props.older, signal), readVersion(props.id, props.newer, signal)]),
  );
  if (both.failure) return <Unavailable failure={both.failure} what="These versions" again={both.again} />;
  if (!both.data) return <Loading what="both versions" />;
  return <Difference older={both.data[0]} newer={both.data[1]} />;
}

function Difference(props: { older: VersionContent; newer: VersionContent }) {
  const { older, newer } = props;
  const found = useMemo(() => (older.text === undefined || newer.text === undefined ? undefined : hunks(difference(older.text, newer.text))), [older.text, newer.text]);
  const files = useMemo(() => changedFiles(older.files, newer.files), [older.files, newer.files]);
  const isSame = older.version.digest === newer.version.digest;
  return (
    <>
      {found ? (
        <DifferenceView hunks={found} label="Difference of SKILL.md" />
      ) : isSame ? (
        <p class="quiet">SKILL.md is the same.</p>
      ) : (
        <Notice>SKILL.md is another one, but the server has not kept the text of both: it is too long, or there was no room for it.</Notice>
      )}
      {files.length > 0 && (
        <Table
          label="Other files that have changed"
          empty=""
          rows={files}
          most={60}
          columns={[
            { head: 'File', cell: (one) => oneLine(one.path, 160) },
            { head: 'Change', cell: (one) => one.change },
          ]}
        />
      )}
    </>
  );
}
