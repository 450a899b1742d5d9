import { readFileSync } from 'node:fs';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import { findDocument, listGallery, version } from '@candleproof/files/package-files';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { explainDocument } from '@candleproof/law/rules/understanding';
import type { PostgresAddress } from '@candleproof/postgres/address';
import type { KillMatrix } from '@candleproof/reports/kill-matrix/facts';
import { embedJson } from '@candleproof/reports/words/escape';
import { commonFiles } from '../common-files.ts';
import { galleryFiles, galleryJson } from '../pages/gallery-page.ts';
import { loadPath, loadStart } from '../pages/load-pages.ts';
import { coverPath, faultsPath, runPath, siteName } from '../paths.ts';
import { compareTexts, contentId, slugify, type TargetRecord } from '../records.ts';
import type { GalleryEntry, PublishedLoad, PublishedMatrix } from '../site-records.ts';
import { readStory } from '../story.ts';
import { BadRun, KeptRuns } from './kept-runs.ts';
import { KeptTargets } from './kept-targets.ts';
import { listMonths, publishMonths } from './months.ts';
import { siteAssets } from './site-assets.ts';
import type { SiteFolder } from './site-folder.ts';
import { type PublishInput, readInput } from './site-pieces.ts';

export type PublishOptions = {
  /** Unix ms. */
  readonly now: number;
  /** Keeps every exchange, not only those that findings refer to. */
  readonly all: boolean;
  /** The address at which the site is served: a link to it shows a picture. */
  readonly address?: URL | undefined;
  /** A database whose monitored months are added. */
  readonly results?: PostgresAddress;
};

const renderer = 'api/renderer.json';

const cover = new URL('../cover.png', import.meta.url);

/** Adds the content of the paths to a site, and draws what changed. */
export async function publishSite(
  paths: readonly string[],
  site: SiteFolder,
  { now, all, address, results }: PublishOptions,
): Promise<void> {
  const assets = siteAssets();
  const drawnBy = JSON.stringify({ version, assets: contentId(assets) });
  const isRenewed = site.read(renderer) !== drawnBy;
  const targets = new KeptTargets(site);
  const runs = new KeptRuns(site);
  // Reads all inputs first: one that cannot be published leaves the site unchanged.
  const inputs = paths.map(readInput);
  for (const file of assets) site.put(...file);
  // Compiling the documents takes longer than adding a run.
  if (isRenewed || !site.has(galleryJson))
    for (const file of galleryFiles(galleryEntries())) site.put(...file);
  const drawn = new Set<string>();
  for (const input of inputs) {
    if (input.kind === 'run') drawn.add(addRun(input, targets, runs, all));
    else if (input.kind === 'store') await publishMonths({ kind: 'folder', folder: input.folder }, site, now);
    else if (input.kind === 'matrix') addMatrix(input.matrix, site);
    else site.put(`${loadPath(contentId(input.load))}load.json`, embedJson(input.load));
  }
  if (results) await publishMonths({ kind: 'database', address: results }, site, now);
  while (!drawAll(targets, { site, runs, drawn, isRenewed, address }, now));
  if (address) site.put(coverPath, readFileSync(cover));
  site.put(renderer, drawnBy);
}

/** Draws what changed; returns false after an unreadable run, which it then omits. */
function drawAll(targets: KeptTargets, drawing: Drawing, now: number): boolean {
  const { site, runs } = drawing;
  try {
    const reported = targets.targets();
    for (const targetRecord of reported) drawRuns(targetRecord, drawing);
    const records = {
      now: new Date(now).toISOString(),
      address: drawing.address,
      stories: reported.flatMap((record) => readStory(record) ?? []),
      rules: targets.rules(),
      matrices: readMatrices(site),
      loads: readLoads(site),
      months: listMonths(site),
    };
    for (const file of commonFiles(records, (slug, id) => runs.side(slug, id))) site.put(...file);
    return true;
  } catch (error) {
    if (!(error instanceof BadRun) || !targets.drop(error.slug, error.id)) throw error;
    site.leaveOut(`${runPath(error.slug, error.id)}run.json`, 'it is missing');
    return false;
  }
}

function addRun(
  { run, entries }: Extract<PublishInput, { kind: 'run' }>,
  targets: KeptTargets,
  runs: KeptRuns,
  all: boolean,
): string {
  const id = contentId(run);
  runs.add(run, all || run.findings.length > 0 ? entries() : undefined, all);
  targets.take(run, id);
  return runPath(slugify(siteName(run.target)), id);
}

type Drawing = {
  readonly site: SiteFolder;
  readonly runs: KeptRuns;
  readonly drawn: ReadonlySet<string>;
  readonly isRenewed: boolean;
  readonly address: URL | undefined;
};

/** Draws pages of runs from another version or an interrupted call, and differences whose first side has changed. */
function drawRuns(target: TargetRecord, { site, runs, drawn, isRenewed }: Drawing): void {
  const kept = site.piece('target', `api/targets/${target.slug}.json`);
  const before = new Map(kept?.runs.map((run) => [run.id, run.before]));
  for (const run of target.runs) {
    const path = runPath(target.slug, run.id);
    if (!drawn.has(path) && (isRenewed || !before.has(run.id))) runs.renew(target.slug, run.id);
    const isDrawn = before.has(run.id) && before.get(run.id) === run.before && !isRenewed;
    if (!isDrawn) runs.changes(target.slug, run.id, run.before);
  }
}

function addMatrix(matrix: KillMatrix, site: SiteFolder): void {
  site.put(`${faultsPath(matrix.versions.catalogue)}${contentId(matrix)}.json`, embedJson(matrix));
}

function readMatrices(site: SiteFolder): PublishedMatrix[] {
  const files = site
    .list('faults')
    .flatMap((catalogue) => site.list(`faults/${catalogue}`).map((name) => [catalogue, name] as const));
  const all = files.flatMap(([catalogue, name]) => {
    const id = /^([0-9a-f]{16})\.json$/.exec(name)?.[1];
    const matrix = id === undefined ? undefined : site.piece('matrix', `faults/${catalogue}/${name}`);
    return id !== undefined && matrix ? [{ id, matrix }] : [];
  });
  return all.sort((a, b) => compareTexts(b.matrix.startedAt, a.matrix.startedAt) || compareTexts(a.id, b.id));
}

function readLoads(site: SiteFolder): PublishedLoad[] {
  const all = site.list('load').flatMap((id) => {
    const run = site.piece('load', `load/${id}/load.json`);
    return run ? [{ id, run }] : [];
  });
  return all.sort((a, b) => compareTexts(loadStart(b), loadStart(a)) || compareTexts(a.id, b.id));
}

/** Returns descriptions of the gallery's documents, by name: the same for every site of a version. */
export function galleryEntries(): GalleryEntry[] {
  return listGallery().map(describeEntry);
}

function describeEntry(name: string): GalleryEntry {
  const spec = loadSpec(findDocument(name));
  const { title, server, operations, intervals, groups } = explainDocument(spec, catalogue);
  const info = spec.document.info as unknown as Readonly<Record<string, unknown>>;
  const [operation] = operations;
  return {
    ...{ name, title, summary: String(info.summary) },
    ...{ source: String(info['x-source']), read: String(info['x-read']), server: server ?? '' },
    pools: [info['x-sample-pools']].flat().map(String),
    needsKey: spec.roles.includes('key'),
    lacksIdle: operation?.gaps === 'idle',
    ...(operation?.maxRows !== undefined && { maxRows: operation.maxRows }),
    ratePerMinute: spec.ratePerMinute,
    intervals: intervals.map((interval) => interval.name),
    groups: groups.filter(({ judged }) => judged > 0),
    all: groups.reduce((sum, group) => sum + group.of, 0),
  };
}
