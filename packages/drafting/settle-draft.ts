import type { ApiDraft, ProbeAnswer, TriedInterval } from './draft.ts';
import { type DraftRow, readFurther } from './draft-answer.ts';
import { readEmptyAnswer } from './empty-answer.ts';
import { fillDraftUrl } from './fill-draft-url.ts';
import { type RungUnit, readIntervalWord, spellInterval } from './interval-words.ts';
import { edgeProbeSteps } from './row-evidence.ts';
import { raiseMaxRows, settleEdges, settleInterval, settleMaxRows, showsEdges } from './settle-rows.ts';
import { hasOpenZone, settleZone } from './settle-zone.ts';

/** A further request that settles what one answer leaves open. */
export type DraftProbe = {
  readonly url: URL;
  /** The purpose of the request, in words. */
  readonly purpose: string;
  readonly kind: 'edges' | 'empty range' | 'most rows' | 'zone' | RungUnit;
  readonly interval?: TriedInterval;
};

/** Returns whether a range was longer than most answers, so that rows of it may be left out on purpose. */
export function isLongProbe({ kind, interval }: DraftProbe): boolean {
  return kind === 'most rows' || interval?.isLong === true;
}

/** A draft while it is settled, and the requests that were sent for it. */
export type Settling = { readonly draft: ApiDraft; readonly sent: readonly DraftProbe[] };

/** Requests beside the first one. */
const mostProbes = 5;

/** Days that an API may take in place of an interval, which then depends on them. */
const otherSpans = ['7', '30'];

/** Rows of a range that is longer than most APIs answer, and of one that all answer. */
const manyRows = 6000;
const fewRows = 90;

/** Returns the next request that settles a draft; undefined if none is left or nothing is open. */
export function nextProbe(settling: Settling): DraftProbe | undefined {
  const { draft, sent } = settling;
  const probe = chooseProbe(settling);
  const known = [draft.url, ...sent.map(({ url }) => url)].some(({ href }) => href === probe?.url.href);
  // An answer that is known settles nothing more.
  return probe && known ? nextProbe({ draft, sent: [...sent, probe] }) : probe;
}

function chooseProbe({ draft, sent }: Settling): DraftProbe | undefined {
  const left = mostProbes - sent.length;
  if (left <= 0 || !(draft.step > 0) || !(findNewest(draft) > 0)) return undefined;
  const was = (kind: DraftProbe['kind']): boolean => sent.some((probe) => probe.kind === kind);
  const zone = was('zone') ? undefined : zoneProbe(draft);
  const edges = was('edges') || showsEdges(draft) ? undefined : edgesProbe(draft);
  const empty = was('empty range') ? undefined : emptyProbe(draft);
  const intervals = listOpenUnits(draft)
    .map((unit) => ({ unit, tried: sent.filter(({ kind }) => kind === unit) }))
    .sort((one, other) => one.tried.length - other.tried.length)
    .flatMap(({ unit, tried }) => intervalProbe(draft, unit, tried) ?? []);
  // The form of an empty answer is worth more than a further spelling.
  const most = was('most rows') || !isMostOpen(draft, sent) ? undefined : mostProbe(draft);
  const [next] = intervals;
  return zone ?? edges ?? (left === 1 && empty ? empty : (next ?? empty ?? most));
}

/** Returns what is settled by the answer to a probe. */
export function takeProbe({ draft, sent }: Settling, probe: DraftProbe, answer: ProbeAnswer): Settling {
  const rows = readFurther(answer.body, draft.layout).map((row) => ({
    ...row,
    start: row.start - draft.ahead,
  }));
  return { draft: raiseMaxRows(settle(draft, probe, rows, answer), rows.length), sent: [...sent, probe] };
}

function settle(
  draft: ApiDraft,
  probe: DraftProbe,
  rows: readonly DraftRow[],
  answer: ProbeAnswer,
): ApiDraft {
  if (probe.kind === 'zone') return settleZone(draft, rows, answer.now);
  if (probe.interval) return settleInterval(draft, probe.interval, rows);
  if (probe.kind === 'most rows') return settleMaxRows(draft, rows);
  return probe.kind === 'edges' ? settleEdges(draft, rows) : readEmptyAnswer(draft, answer);
}

function edgesProbe(draft: ApiDraft): DraftProbe | undefined {
  const [first, last] = [draft.rows[0], draft.rows[edgeProbeSteps]];
  if (!first || !last || !hasRole(draft, 'from', 'since', 'to')) return undefined;
  const url = fillDraftUrl(draft, { from: first.start, to: last.start });
  return { kind: 'edges', purpose: 'for the edges', url };
}

/** Requests the newest rows, which show the zone of texts without an offset by their distance from the answer. */
function zoneProbe(draft: ApiDraft): DraftProbe | undefined {
  const { now, step } = draft;
  if (now === undefined || !hasOpenZone(draft) || !hasRole(draft, 'to')) return undefined;
  const url = fillDraftUrl(draft, { from: now - fewRows * step, to: now });
  return { kind: 'zone', purpose: 'for the zone of its times', url };
}

/** Returns whether no range was long enough to show the most rows of an answer. */
function isMostOpen(draft: ApiDraft, sent: readonly DraftProbe[]): boolean {
  // The limit of the URL is that of its writer; a larger one shows that of the server.
  if (hasRole(draft, 'limit')) return true;
  const isShown = listOpenUnits(draft).length === 0 && sent.some(({ interval }) => interval?.isLong);
  return draft.maxRows === undefined && hasRole(draft, 'from') && !isShown;
}

function mostProbe(draft: ApiDraft): DraftProbe {
  const to = findNewest(draft);
  return {
    kind: 'most rows',
    purpose: 'for the most rows',
    url: fillDraftUrl(draft, { from: to - manyRows * draft.step, to, limit: manyRows }),
  };
}

function emptyProbe(draft: ApiDraft): DraftProbe | undefined {
  if (!hasRole(draft, 'from') || !hasRole(draft, 'to')) return undefined;
  const from = findNewest(draft) + 48 * draft.step;
  const url = fillDraftUrl(draft, { from, to: from + edgeProbeSteps * draft.step });
  return { kind: 'empty range', purpose: 'for a range without rows', url };
}

function hasRole({ parameters }: ApiDraft, ...roles: readonly string[]): boolean {
  return parameters.some(({ role }) => role !== undefined && roles.includes(role));
}

function findNewest({ rows }: ApiDraft): number {
  return rows.at(-1)?.start ?? 0;
}

/** Lists the rungs of which no interval is known yet: two beside the first answer's, the shorter ones first. */
function listOpenUnits(draft: ApiDraft): RungUnit[] {
  const known = Object.values(listLengths(draft));
  const bounds = { minute: [60, 1800], hour: [3600, 21_600], day: [43_200, 259_200] } as const;
  return (['minute', 'day', 'hour'] as const).filter(
    (unit) => !known.some((seconds) => seconds >= bounds[unit][0] && seconds <= bounds[unit][1]),
  );
}

function listLengths({ parameters }: ApiDraft): Readonly<Record<string, number>> {
  const interval = parameters.find(({ role }) => role === 'interval');
  return (interval?.tags['x-seconds'] ?? {}) as Readonly<Record<string, number>>;
}

function intervalProbe(
  draft: ApiDraft,
  unit: RungUnit,
  tried: readonly DraftProbe[],
): DraftProbe | undefined {
  const last = tried.at(-1)?.interval;
  // The range may have been what was refused.
  if (last?.isLong) return makeProbe(draft, unit, { ...last, isLong: false });
  // Words that were understood show how others are spelled.
  const words = Object.keys(listLengths(draft))
    .toReversed()
    .flatMap((name) => readIntervalWord(name, listLengths(draft)[name]) ?? []);
  const spellings = words.flatMap((word) =>
    spellInterval(word, unit).map((spelled, rank) => ({ ...spelled, rank })),
  );
  const spans =
    words.length === 0 ? otherSpans.map((name, rank) => ({ name, rank, seconds: Number.NaN })) : [];
  const next = [...spellings, ...spans]
    .sort((one, other) => one.rank - other.rank)
    .find(
      ({ name }) => !tried.some(({ interval }) => interval?.name === name) && !(name in listLengths(draft)),
    );
  if (!next) return undefined;
  const { name, seconds } = next;
  const isLong = unit === 'minute' && !hasRole(draft, 'limit') && hasRole(draft, 'from', 'since');
  return makeProbe(draft, unit, { name, seconds, isLong: isLong && tried.length === 0 });
}

function makeProbe(draft: ApiDraft, unit: RungUnit, interval: TriedInterval): DraftProbe {
  const { name, seconds, isLong } = interval;
  const limit = Number(draft.parameters.find(({ role }) => role === 'limit')?.value ?? fewRows);
  const rows = isLong ? manyRows : unit === 'day' ? Math.min(limit, fewRows) : Math.min(limit, manyRows);
  const newest = findNewest(draft);
  return {
    kind: unit,
    purpose: `for the interval ${name}${isLong ? ' and the most rows' : ''}`,
    url: fillDraftUrl(draft, { interval: name, from: newest - rows * seconds, to: newest }),
    interval,
  };
}
