import { basename } from 'node:path';
import { boundRecordedBodies, type HarReading, type ReadRecording } from '@candleproof/client/har/har';
import { readHar } from '@candleproof/client/har/read-har';
import { listValues } from '@candleproof/document/spec/request-path';
import { listBodyValues } from '@candleproof/document/spec/sent-request';
import type { PoolsBySpace, Spec } from '@candleproof/document/spec/spec';
import { specFile, version } from '@candleproof/files/package-files';
import { quoteForShell } from '@candleproof/files/shell-word';
import { shownPath } from '@candleproof/files/shown-path';
import { UsageError } from '@candleproof/files/usage-error';
import { applyBaseline, type Baseline } from '@candleproof/law/judge/baseline';
import { judge } from '@candleproof/law/judge/judge';
import type { RecordedEntries } from '@candleproof/law/judge/verdict';
import { type Exchange, findKey, type Recording, type TargetFacts } from '@candleproof/law/reading/exchange';
import type { Catalogue } from '@candleproof/law/rules/catalogue';
import { candidateBases, inferTarget, isWithin } from '../run/recorded.ts';
import { type RunOutcome, toRun } from '../run/run-outcome.ts';
import { formatPools } from '../target/target-description.ts';

export type JudgedFiles = {
  readonly files: readonly string[];
  /** The recorded host that is the API; by default, recordings of ours name it and for others it is inferred. */
  readonly baseUrl?: string;
  /** The files show some header lines of the answers only. */
  readonly headersNotRecorded?: boolean;
  /** The pools that the API has, by space; by default, those that were requested. */
  readonly pools?: PoolsBySpace;
};

/** The recording to judge, with the counts of judged and skipped entries of its files. */
export type ReadFiles = { readonly recording: Recording; readonly entries: RecordedEntries };

/** Reads the exchanges of all files in their order and leaves out those with another host. */
export function readRecordings(spec: Spec, given: JudgedFiles): ReadFiles {
  const reading = { ...knownTexts(spec), bodies: boundRecordedBodies() };
  const read = given.files.map((file) => readHar(file, 'judge', reading));
  return joinRecordings(spec, read, given);
}

/** Returns the texts in a recorded request that a document describes: values that are no secret, and keys. */
export function knownTexts(spec: Spec): Pick<HarReading, 'listPlain' | 'listKeys'> {
  return {
    listPlain: ({ url, body }) => [...listValues(spec, url), ...listBodyValues(spec, body)],
    listKeys: (request) => (spec.keyPlaces ?? []).flatMap((place) => findKey(place, request) ?? []),
  };
}

/** Joins recordings that were read into one; `given.files` holds their names. Throws a UsageError. */
export function joinRecordings(spec: Spec, read: readonly ReadRecording[], given: JudgedFiles): ReadFiles {
  const { files, pools } = given;
  const recorded = read.find((readRecording) => readRecording.target !== undefined);
  const areSeveral = files.length > 1;
  const all = read.flatMap(({ exchanges }, at) =>
    exchanges.map((exchange, index) => placeExchange(exchange, index, areSeveral ? at : undefined, given)),
  );
  const once = areSeveral ? withoutRepeated(all) : all;
  // Browsers and proxies list requests in the order in which they ended, our runs in the order of sending.
  const isOneRun = recorded !== undefined && !areSeveral;
  const sorted = isOneRun ? once : once.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt));
  const target = findTarget(spec, sorted, recorded?.target, given);
  const isJudged = (exchange: Exchange): boolean =>
    target === recorded?.target || isWithin(exchange, target.baseUrl);
  const exchanges = sorted.filter(isJudged);
  const others = sorted
    .filter((exchange) => !isJudged(exchange))
    .map((exchange) => explainOrigin(exchange, target));
  const repeated = Array.from({ length: all.length - once.length }, () => 'recorded twice');
  const skipped = [...others, ...repeated, ...read.flatMap((readRecording) => readRecording.skipped)];
  // Others may have used the key between two runs.
  const facts = {
    ...target,
    ...(areSeveral && { soleUser: false }),
    pools: { ...target.pools, ...pools },
  };
  return {
    recording: { target: facts, seed: recorded?.seed ?? 0, exchanges },
    entries: {
      recorded: exchanges.length + skipped.length,
      judged: exchanges.length,
      skipped: countReasons(skipped),
    },
  };
}

function findTarget(
  spec: Spec,
  exchanges: readonly Exchange[],
  recorded: TargetFacts | undefined,
  { files, baseUrl }: JudgedFiles,
): TargetFacts {
  if (recorded && (baseUrl === undefined || baseUrl === recorded.baseUrl)) return recorded;
  const target = inferTarget(spec, exchanges, baseUrl);
  if (target) return target;
  const requested = candidateBases(spec, exchanges);
  const place = `judge: ${files.join(', ')}`;
  if (requested.length > 0) {
    throw new UsageError(
      `${place}: nothing was requested from --base-url ${baseUrl}: it is one of ${requested.slice(0, 5).join(', ')}`,
    );
  }
  throw new UsageError(`${place}: no request asks for any of the three operations; record some first`);
}

/** Counts an exchange that several files hold once. */
function withoutRepeated(exchanges: readonly Exchange[]): readonly Exchange[] {
  const seen = new Map<string, Exchange>();
  for (const exchange of exchanges) {
    const { startedAt, request, timings, response } = exchange;
    const facts = JSON.stringify([startedAt, request, timings, response?.status, response?.headers]);
    if (!seen.has(facts)) seen.set(facts, exchange);
  }
  return [...seen.values()];
}

/** The most connections that one client numbers. */
const mostConnections = 1e6;

/** Names the file of an entry if there are several, and keeps its connection distinct from those of other files. */
function placeExchange(
  exchange: Exchange,
  index: number,
  at: number | undefined,
  { files, headersNotRecorded }: JudgedFiles,
): Exchange {
  const { connection, recorder = { place: `log.entries[${index}]` } } = exchange;
  if (at === undefined && !headersNotRecorded) return exchange;
  const file = at === undefined ? undefined : files[at];
  return {
    ...exchange,
    ...(connection && at && { connection: { ...connection, id: connection.id + at * mostConnections } }),
    recorder: {
      ...recorder,
      ...(file !== undefined && { place: `${recorder.place} of ${basename(file)}` }),
      ...(headersNotRecorded && { headersLeftOut: true }),
    },
  };
}

function explainOrigin({ request }: Exchange, { baseUrl }: TargetFacts): string {
  return URL.parse(request.url)?.host === new URL(baseUrl).host ? 'other path of the host' : 'other host';
}

function countReasons(reasons: readonly string[]): RecordedEntries['skipped'] {
  return [...Map.groupBy(reasons, (reason) => reason)].map(([reason, all]) => ({
    reason,
    count: all.length,
  }));
}

/** Judges a recording as it is, measured by a baseline if one is given; `today` is YYYY-MM-DD, UTC. */
export function judgeRecording(
  spec: Spec,
  { recording, entries }: ReadFiles,
  {
    law,
    given,
    baseline,
  }: {
    law: Catalogue;
    given: JudgedFiles;
    baseline?: { readonly known: Baseline; readonly today: string } | undefined;
  },
): RunOutcome {
  const judged = judge(spec, recording, {
    catalogue: law,
    replay: (rule) => formatCommand(spec, given, rule),
  });
  const measured = baseline ? applyBaseline(judged, baseline.known, baseline.today) : judged;
  const times = recording.exchanges.map((exchange) => exchange.startedAt).sort();
  const facts = {
    startedAt: times[0] ?? new Date(0).toISOString(),
    finishedAt: times.at(-1) ?? new Date(0).toISOString(),
    requests: { sent: 0, budget: 0 },
    entries,
  };
  return { run: toRun(measured, recording, { spec, version, catalogue: law }, facts), recording };
}

function showFile(file: string): string {
  return quoteForShell(shownPath(file));
}

function formatCommand(
  { file, overlays = [] }: Spec,
  { files, baseUrl, headersNotRecorded, pools = {} }: JudgedFiles,
  rule: string,
): string {
  return [
    `npx candleproof judge ${files.map(showFile).join(' ')}`,
    ...(baseUrl === undefined ? [] : [`--base-url ${quoteForShell(baseUrl)}`]),
    ...(headersNotRecorded ? ['--headers-not-recorded'] : []),
    ...(file === specFile ? [] : [`--spec ${showFile(file)}`]),
    ...overlays.map((overlay) => `--overlay ${showFile(overlay)}`),
    ...formatPools(pools).map((formatPool) => `--pools ${quoteForShell(formatPool)}`),
    `--only ${rule}`,
  ].join(' ');
}
