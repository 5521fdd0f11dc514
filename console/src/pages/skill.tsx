// SPDX-License-Identifier: Apache-2.0
// Shows one skill: its text, its files, its front matter, its origin and its findings.

import { useCallback, useMemo, useState } from 'preact/hooks';
import { audienceOfRule, findingsBySkill, heldSkills, isInFile, listOf, messageOf, textOf, usageOf } from '../data/joined';
import { client, readResource, revision } from '../data/server';
import { failureOf } from '../mcp/failure';
import { isObject, type Json, type JsonObject, type SkillEntry } from '../mcp/messages';
import { difference, hunks } from '../text/difference';
import { bytes, count, plural, timeOf, tokensOf } from '../text/format';
import { splitFrontMatter } from '../text/markdown';
import { oneLine } from '../text/visible';
import { useOwn, useQuery } from '../ui/hooks';
import { MarkdownView } from '../ui/markdown_view';
import { Badge, Copy, Field, Figure, Loading, Notice, Panel, Stale, Table, TabLinks, Unavailable, When, type Tone } from '../ui/parts';
import { link, route } from '../ui/router';
import { Heading } from '../ui/shell';
import { Versions } from './versions';
import { DifferenceView, TextView, type Mark } from '../ui/text_view';

interface FileEntry {
  path: string;
  uri: string;
  size: number | undefined;
  digest: string | undefined;
}

interface Details {
  text: string;
  entry: SkillEntry | undefined;
  files: FileEntry[];
}

export function uriOf(id: string): string {
  return `skill://${id.split('/').map(encodeSegment).join('/')}/SKILL.md`;
}

// Encodes a segment as the server does: characters that RFC 3986 allows in a segment are not encoded.
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(/%(?:40|3A|24|26|2B|2C|3B|3D)/g, decodeURIComponent);
}

async function readDetails(uri: string, signal: AbortSignal): Promise<Details> {
  const contents = readResource(uri, { signal });
  const entry = client.request('skills/get', { uri }, { signal }).then(
    (result) => (isObject(result['skill']) ? (result['skill'] as unknown as SkillEntry) : (result as unknown as SkillEntry)),
    // A skill that breaks a rule of the extension has no entry there. The tools and resources still serve it.
    () => undefined,
  );
  const text = (await contents).text ?? '';
  const known = await entry;
  const files = known && Array.isArray(known.resources) ? filesOfEntry(uri, known.resources) : await filesOfDirectory(uri, signal);
  return { text, entry: known && isObject(known.frontmatter) ? known : undefined, files };
}

function folderOf(uri: string): string {
  return uri.replace(/[^/]*$/, '');
}

function filesOfEntry(uri: string, resources: { uri: string; digest: string; size: number }[]): FileEntry[] {
  const folder = folderOf(uri);
  return resources.map((file) => ({ path: relative(file.uri, folder), uri: file.uri, size: file.size, digest: file.digest }));
}

function relative(uri: string, folder: string): string {
  const path = uri.startsWith(folder) ? uri.slice(folder.length) : uri;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const maxFolders = 200;

async function filesOfDirectory(uri: string, signal: AbortSignal): Promise<FileEntry[]> {
  const folder = folderOf(uri);
  const files: FileEntry[] = [];
  const folders = [folder.replace(/\/$/, '')];
  try {
    for (let at = 0; at < folders.length && at < maxFolders; at += 1) {
      for await (const page of client.pages<JsonObject>('resources/directory/read', 'resources', { uri: folders[at] ?? '' }, { signal })) {
        for (const one of page.items) {
          const place = textOf(one, 'uri');
          if (textOf(one, 'mimeType') === 'inode/directory') folders.push(place);
          else files.push({ path: relative(place, folder), uri: place, size: typeof one['size'] === 'number' ? one['size'] : undefined, digest: undefined });
        }
      }
    }
  } catch (reason) {
    if (failureOf(reason).kind === 'cancelled') throw reason;
  }
  return files;
}

const tabs = ['text', 'files', 'front-matter', 'findings', 'provenance', 'versions', 'difference'] as const;
type TabId = (typeof tabs)[number];

export function Skill() {
  const { rest: id, query } = route.value;
  const uri = uriOf(id);
  const details = useQuery(`skill:${uri}`, (signal) => readDetails(uri, signal), { revision: revision.resources.value });
  const findings = useOwn('findings');
  const usage = useOwn('usage');
  
  const tab = tabs.find((one) => one === query.get('tab')) ?? 'text';
  const { data, failure } = details;
  const frontMatter = data?.entry?.frontmatter;
  const name = textOf(frontMatter, 'name') || (id.split('/').pop() ?? id);
  const used = useMemo(() => usageOf(usage.data), [usage.data]);
  // A finding names its skill as load_skill does: by its name if the name is unique, otherwise by its id.
  const mine = useMemo(() => {
    const bySkill = findingsBySkill(findings.data);
    return bySkill.get(id) ?? (bySkill.get(name) ?? []).filter((finding) => textOf(finding, 'file').includes(id.split('/').slice(1).join('/')));
  }, [findings.data, id, name]);
  return (
    <>
      <Heading title={textOf(frontMatter, 'title') || name} full={oneLine(name, 1000)}>
        <Copy text={uri} what="the URI" />
        <a class="button small" href={link('try', 'tool', { name: 'load_skill', skill_name: id })}>
          Load it in Try
        </a>
      </Heading>
      <p class="quiet breadcrumb">
        <a href={link('skills', '', { source: id.split('/')[0] ?? '' })}>{oneLine(id.split('/')[0] ?? '', 60)}</a> / {oneLine(id.split('/').slice(1).join(' / '), 300)}
      </p>
      {failure && data === undefined && <Missing failure={failure} id={id} again={details.again} />}
      {!data && !failure && <Loading what="the skill" />}
      <Stale failure={failure} data={data} what="The skill" />
      {data && (
        <>
          <dl class="figures">
            <Figure label="Tokens (estimate)" value={count(tokensOf(new TextEncoder().encode(data.text).length))} note="of SKILL.md, bytes / 4" />
            <Figure label="Files" value={count(data.files.length)} note={bytes(data.files.reduce((sum, file) => sum + (file.size ?? 0), 0))} />
            {used && <Figure label="Loads" value={count(used.loads(id))} note={<a href={link('usage', '', { skill: id })}>Who used it</a>} />}
            {findings.data && <Figure label="Findings" value={count(mine.length)} tone={mine.length > 0 ? 'warning' : 'plain'} />}
          </dl>
          <TabLinks
            label="Parts of the skill"
            current={tab}
            tabs={[
              { id: 'text', label: 'Text' },
              { id: 'files', label: 'Files', count: data.files.length },
              { id: 'front-matter', label: 'Front matter' },
              { id: 'findings', label: 'Findings', ...(findings.data ? { count: mine.length } : {}) },
              { id: 'provenance', label: 'Provenance' },
              { id: 'versions', label: 'Versions' },
              { id: 'difference', label: 'Compare' },
            ]}
            href={(next) => link('skill', id, { tab: next === 'text' ? undefined : next })}
          />
          <Part tab={tab} id={id} uri={uri} details={data} mine={mine} findings={findings} />
        </>
      )}
    </>
  );
}

// Explains why a skill is missing, which a manager wants to know first.
function Missing(props: { failure: ReturnType<typeof failureOf>; id: string; again: () => void }) {
  const reviews = useOwn('reviews');
  const findings = useOwn('findings');
  const held = heldSkills(reviews.data).find((one) => textOf(one, 'id') === props.id);
  const folder = props.id.split('/').slice(1).join('/');
  const found = listOf(findings.data, 'findings').filter((one) => textOf(one, 'skill') === '' && folder !== '' && textOf(one, 'file').includes(`${folder}/`));
  return (
    <>
      <Unavailable failure={props.failure} what={oneLine(props.id, 120)} again={props.again} />
      {held && (
        <Notice tone="warning" title="It is held back.">
          {oneLine(textOf(held, 'reason'), 500)} <a href={link('review', props.id)}>Look at it and decide</a>
        </Notice>
      )}
      {found.map((finding, at) => (
        <Notice key={at} tone="warning">
          {oneLine(`${messageOf(finding)} (${textOf(finding, 'file')}:${textOf(finding, 'line')})`, 600)}
        </Notice>
      ))}
      <Versions id={props.id} gone />
    </>
  );
}

function Part(props: { tab: TabId; id: string; uri: string; details: Details; mine: JsonObject[]; findings: ReturnType<typeof useOwn> }) {
  const { tab, id, uri, details, mine } = props;
  const inside = useCallback((target: string) => insideLink(target, uri, id), [uri, id]);
  const parts = useMemo(() => splitFrontMatter(details.text), [details.text]);
  switch (tab) {
    case 'files':
      return <Files id={id} uri={uri} files={details.files} findings={mine} inside={inside} />;
    case 'front-matter':
      return <FrontMatter entry={details.entry} written={parts.frontMatter} />;
    case 'findings':
      return <Findings id={id} files={details.files} findings={mine} query={props.findings} />;
    case 'provenance':
      return (
        <>
          <Provenance entry={details.entry} />
          <Audience said={details.entry?._meta?.[audienceKey]} />
        </>
      );
    case 'versions':
      return <Versions id={id} />;
    case 'difference':
      return <Compare id={id} files={details.files} />;
    default:
      return (
        <Panel title="Text">
          <p class="lead">{oneLine(textOf(details.entry?.frontmatter, 'description'), 1200)}</p>
          <MarkdownView text={parts.body} label="Text of the skill" inside={inside} />
        </Panel>
      );
  }
}

// Resolves a link in a skill's text that leads to a file of the skill, or to another skill of this server.
export function insideLink(target: string, uri: string, id: string): string | undefined {
  const [path = '', anchor] = target.split('#', 2);
  if (path === '') return anchor === undefined ? undefined : link('skill', id);
  const base = `http://skill.invalid/${uri.slice('skill://'.length)}`;
  const whole = path.startsWith('skill://') ? `http://skill.invalid/${path.slice('skill://'.length)}` : path;
  if (!URL.canParse(whole, base)) return undefined;
  const url = new URL(whole, base);
  if (url.host !== 'skill.invalid') return undefined;
  let there: string;
  try {
    there = decodeURIComponent(url.pathname.slice(1));
  } catch {
    return undefined;
  }
  if (there === `${id}/SKILL.md` || there === id) return link('skill', id);
  if (there.startsWith(`${id}/`)) return link('skill', id, { tab: 'files', file: there.slice(id.length + 1) });
  return there.endsWith('/SKILL.md') ? link('skill', there.slice(0, -'/SKILL.md'.length)) : undefined;
}

function Files(props: { id: string; uri: string; files: FileEntry[]; findings: JsonObject[]; inside: (target: string) => string | undefined }) {
  const path = route.value.query.get('file');
  const file = props.files.find((one) => one.path === path);
  return (
    <>
      <Panel title="Files">
        <Table
          label="Files of the skill"
          empty="This skill names no files."
          rows={props.files}
          most={60}
          columns={[
            { head: 'Path', cell: (one) => <a href={link('skill', props.id, { tab: 'files', file: one.path })} aria-current={one.path === path ? 'true' : undefined}>{oneLine(one.path, 160)}</a> },
            { head: 'Size', numeric: true, cell: (one) => bytes(one.size) },
            { head: 'Digest', cell: (one) => <code title={one.digest}>{one.digest ? `${one.digest.slice(0, 19)}…` : '–'}</code> },
          ]}
        />
      </Panel>
      {path !== null && <FileView key={path} path={path} uri={file?.uri ?? `${folderOf(props.uri)}${path.split('/').map(encodeURIComponent).join('/')}`} findings={props.findings} inside={props.inside} />}
    </>
  );
}

function FileView(props: { path: string; uri: string; findings: JsonObject[]; inside: (target: string) => string | undefined }) {
  const file = useQuery(`file:${props.uri}`, (signal) => readResource(props.uri, { signal }), { revision: revision.resources.value });
  const marks = useMemo(() => marksOf(props.findings, props.path), [props.findings, props.path]);
  const { data, failure } = file;
  return (
    <Panel title={oneLine(props.path, 160)} aside={<Copy text={props.uri} what="the URI" />}>
      {failure && !data && <Unavailable failure={failure} what="This file" again={file.again} />}
      {!data && !failure && <Loading what="the file" />}
      {data?.text !== undefined &&
        (/\.(md|markdown)$/i.test(props.path) && marks.length === 0 && props.path !== 'SKILL.md' ? (
          <MarkdownView text={data.text} label={props.path} inside={props.inside} />
        ) : (
          <TextView text={data.text} label={oneLine(props.path, 160)} marks={marks} />
        ))}
      {data?.blob !== undefined && <Notice>This file is not text ({data.mimeType ?? 'unknown type'}, {bytes(Math.floor((data.blob.length * 3) / 4))}). It is not shown here.</Notice>}
    </Panel>
  );
}

function marksOf(findings: JsonObject[], path: string): Mark[] {
  return findings
    .filter((finding) => isInFile(finding, path) && typeof finding['line'] === 'number')
    .map((finding) => ({ line: Number(finding['line']), text: `${textOf(finding, 'severity')}: ${messageOf(finding)}` }));
}

function FrontMatter(props: { entry: SkillEntry | undefined; written: string }) {
  const rows = Object.entries(props.entry?.frontmatter ?? {});
  return (
    <>
      <Panel title="Front matter">
        {rows.length > 0 ? (
          <Table
            label="Front matter"
            empty=""
            rows={rows}
            columns={[
              { head: 'Key', cell: ([key]) => <code>{oneLine(key, 100)}</code> },
              { head: 'Value', wide: true, cell: ([, value]) => oneLine(typeof value === 'string' ? value : JSON.stringify(value), 2000) },
            ]}
          />
        ) : (
          <Notice>The skills extension does not list this skill, because it breaks a rule of it. What it says of itself is below, as it is written.</Notice>
        )}
      </Panel>
      {props.written !== '' && (
        <Panel title="As written">
          <TextView text={props.written} label="Front matter as written" />
        </Panel>
      )}
    </>
  );
}

export function severityTone(severity: string): Tone {
  return severity === 'error' ? 'bad' : severity === 'warning' ? 'warning' : 'plain';
}

function Findings(props: { id: string; files: FileEntry[]; findings: JsonObject[]; query: ReturnType<typeof useOwn> }) {
  const { failure, data, again } = props.query;
  return (
    <Panel title="Findings">
      {failure && !data && <Unavailable failure={failure} what="Findings" again={again} />}
      {data && <FindingTable findings={props.findings} href={(finding) => link('skill', props.id, { tab: 'files', file: props.files.find((file) => isInFile(finding, file.path))?.path ?? 'SKILL.md' })} />}
    </Panel>
  );
}

export function FindingTable(props: { findings: JsonObject[]; href?: (finding: JsonObject) => string }) {
  const where = (one: JsonObject): string => oneLine(`${textOf(one, 'file') || 'SKILL.md'}:${textOf(one, 'line')}`, 200);
  return (
    <Table
      label="Findings"
      empty="Nothing was found."
      rows={props.findings}
      columns={[
        { head: 'Severity', cell: (one) => <Badge tone={severityTone(textOf(one, 'severity'))}>{textOf(one, 'severity') || 'note'}</Badge> },
        { head: 'What', wide: true, cell: (one) => (
          <>
            {oneLine(messageOf(one), 1000)} <code>{oneLine(textOf(one, 'id'), 80)}</code>
            {textOf(one, 'remedy') !== '' && <span class="block quiet">{oneLine(textOf(one, 'remedy'), 600)}</span>}
          </>
        ) },
        { head: 'Where', wide: true, cell: (one) => (props.href ? <a href={props.href(one)}>{where(one)}</a> : where(one)) },
      ]}
    />
  );
}

const audienceKey = 'org.skillhost/audience';

// Shows who may see the skill. The server sends this only to managers whose name it knows.
function Audience(props: { said: Json | undefined }) {
  const { said } = props;
  if (!isObject(said)) return null;
  const rules = listOf(said, 'rules');
  return (
    <Panel title="Who may see it">
      {rules.length === 0 ? (
        <p>Everybody who may read: no rule of visibility names it.</p>
      ) : (
        <>
          <p>{said['needs_all'] === true ? 'Its category is not sure. By all of these rules together:' : rules.length === 1 ? 'By this rule:' : 'By any of these rules:'}</p>
          <ul>
            {rules.map((rule, at) => (
              <li key={at}>{oneLine(audienceOfRule(rule), 1000)}</li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

function Provenance(props: { entry: SkillEntry | undefined }) {
  const meta = props.entry?._meta ?? {};
  const rows: [string, Json][] = [];
  for (const [key, value] of Object.entries(meta)) {
    if (!key.startsWith('org.skillhost/') || key === audienceKey) continue;
    const label = key.slice('org.skillhost/'.length);
    if (isObject(value)) for (const [fact, said] of Object.entries(value)) rows.push([fact, said]);
    else rows.push([label, value]);
  }
  return (
    <Panel title="Provenance">
      <Table
        label="Provenance"
        empty="The source states nothing of where this skill comes from."
        rows={rows}
        columns={[
          { head: 'Fact', cell: ([fact]) => oneLine(fact.replace(/_/g, ' '), 100) },
          { head: 'Value', wide: true, cell: ([fact, value]) => factValue(fact, value) },
        ]}
      />
    </Panel>
  );
}

function factValue(fact: string, value: Json) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const time = /_at$|time|date/.test(fact) ? timeOf(value) : undefined;
  if (time) return <When time={time} />;
  if (/^https:\/\/[^\s]+$/.test(text) && text.length < 500) {
    return (
      <a href={text} target="_blank" rel="noopener noreferrer">
        {oneLine(text, 300)}
      </a>
    );
  }
  return <code>{oneLine(text, 600)}</code>;
}

// Compares two files of this server, such as the files of the same skill from two sources.
function Compare(props: { id: string; files: FileEntry[] }) {
  const [other, setOther] = useState('');
  const [path, setPath] = useState('SKILL.md');
  const [asked, setAsked] = useState<{ other: string; path: string }>();
  return (
    <Panel title="Compare with another skill">
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          setAsked({ other: other.trim().replace(/^skill:\/\//, '').replace(/\/SKILL\.md$/, ''), path });
        }}
      >
        <Field label="Other skill" hint="Source and path, such as team/pdf, or its URI.">
          {({ id, describedBy }) => <input id={id} required value={other} aria-describedby={describedBy} onInput={(event) => setOther(event.currentTarget.value)} />}
        </Field>
        <Field label="File">
          {({ id }) => (
            <select id={id} value={path} onChange={(event) => setPath(event.currentTarget.value)}>
              {props.files.map((file) => (
                <option key={file.path}>{file.path}</option>
              ))}
            </select>
          )}
        </Field>
        <button type="submit">Compare</button>
      </form>
      {asked && <Comparison key={`${asked.other} ${asked.path}`} id={props.id} {...asked} />}
    </Panel>
  );
}

function Comparison(props: { id: string; other: string; path: string }) {
  const uri = (skill: string): string => `${folderOf(uriOf(skill))}${props.path.split('/').map(encodeURIComponent).join('/')}`;
  const both = useQuery(`${uri(props.other)} ${uri(props.id)}`, async (signal) => {
    const [older, newer] = await Promise.all([readResource(uri(props.other), { signal }), readResource(uri(props.id), { signal })]);
    if (older.text === undefined || newer.text === undefined) throw new Error('One of the two files is not text.');
    return hunks(difference(older.text, newer.text));
  });
  if (both.failure) return <Unavailable failure={both.failure} what={oneLine(props.other, 120)} again={both.again} />;
  if (!both.data) return <Loading what="both files" />;
  return (
    <>
      <p class="quiet">
        − {oneLine(props.other, 200)} &nbsp; + {oneLine(props.id, 200)}. {plural(both.data.length, 'place differs', 'places differ')}.
      </p>
      <DifferenceView hunks={both.data} label="Difference" />
    </>
  );
}
