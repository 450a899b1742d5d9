import { operationById } from '@candleproof/document/spec/operation';
import { describe } from '@candleproof/law/reading/describe';
import type { CandleAnswer, HistoryAnswer } from '@candleproof/law/reading/reading';
import type { Evidence } from '@candleproof/law/relations/evidence';
import { isInverted } from '@candleproof/law/relations/series';
import { growsRule } from '@candleproof/law/rules/latest/latest-growth';
import { filledRule, listIds } from '@candleproof/law/rules/tokens/token-checks';
import type { Json, ResultsStore } from '../results/results-store.ts';
import { noPast, type PastComparison } from './restatements.ts';

/** Factors that no market moves by: of the open of one interval, which never changes, and of a price within the hours. */
const most = { open: 2, close: 100 };
const mostApartMs = 7_200_000;

/** Ms after which answers that were doubted are those that later ones are compared with. */
const doubtMs = 86_400_000;

/** A latest or newest closed candle as it was served before; Unix seconds, and Unix ms of the answer. */
type SeenCandle = {
  readonly start: number;
  readonly open: number;
  readonly close: number;
  readonly at: number;
  /** Since when later answers contradict it, Unix ms. */
  readonly doubted?: number;
};

/** Ids of the last list, and those that one look has missed since. */
type SeenTokens = {
  readonly ids: readonly string[];
  readonly missed?: readonly string[];
  readonly empty?: number;
};

export type BeforeOptions = {
  readonly target: string;
  /** The location and the target, which share what was seen of a pool. */
  readonly place: string;
  readonly store: Pick<ResultsStore, 'state'>;
  /** Unix ms. */
  readonly now: number;
  /** Returns whether a rule binds this target. */
  readonly isLaw: (rule: string) => boolean;
};

/** Compares latest candles with those that the slots before were served, and with the last closed ones. */
export async function compareLatest(
  { latest, spec }: Pick<Evidence, 'latest' | 'spec'>,
  options: BeforeOptions,
): Promise<PastComparison> {
  const { store, now, isLaw } = options;
  const states: Record<string, Json> = {};
  const doubts: string[] = [];
  for (const answer of isLaw(growsRule) ? latest : []) {
    const [candle] = answer.candles;
    if (!candle || isInverted(answer) || !(candle.open > 0 && candle.close > 0)) continue;
    const own = stateName('latest', answer, spec, options);
    const closed = stateName('closed', answer, spec, options);
    const before = await readNewest(store, own, closed);
    if (before && candle.start < before.start) continue;
    const leap = before && describeLeap(before, candle, now);
    const { start, open, close } = candle;
    const isAccepted = leap === undefined || now - (before?.doubted ?? now) >= doubtMs;
    if (!isAccepted) doubts.push(`pool ${answer.requested.pool}: ${leap}`);
    states[own] =
      isAccepted || !before ? { start, open, close, at: now } : { ...before, doubted: before.doubted ?? now };
  }
  const [doubt] = doubts;
  return { ...noPast, states, ...(doubt !== undefined && { doubt, rule: growsRule }) };
}

/** Returns the newest closed candles of histories as states, for latest candles of the same pools. */
export function keepClosed(
  histories: readonly HistoryAnswer[],
  spec: Evidence['spec'],
  options: Omit<BeforeOptions, 'isLaw'>,
): PastComparison['states'] {
  const kept = histories.flatMap((answer): [string, Json][] => {
    const { serverNow = 0, inTime, requested } = answer;
    const newest = inTime.findLast(({ start }) => start + requested.length <= serverNow);
    if (!newest || isInverted(answer) || !(newest.open > 0 && newest.close > 0)) return [];
    const { start, open, close } = newest;
    const at = (start + requested.length) * 1000;
    return [[stateName('closed', answer, spec, options), { start, open, close, at }]];
  });
  return Object.fromEntries(kept);
}

/** Compares a list of tokens with the one before: an empty one is wrong, and tokens that two looks miss have vanished. */
export async function compareTokens(
  { tokenLists, spec }: Pick<Evidence, 'tokenLists' | 'spec'>,
  { target, place, store, now, isLaw }: BeforeOptions,
): Promise<PastComparison> {
  const answer = tokenLists.findLast(({ isList }) => isList);
  if (!answer || !isLaw(filledRule)) return noPast;
  const name = `tokens ${place}`;
  const before = (await store.state(name)) as SeenTokens | null | undefined;
  const ids = [...new Set(listIds(answer, spec).map(String))].toSorted();
  if (answer.records.length === 0 && before && now - (before.empty ?? now) < doubtMs) {
    const doubt = `an empty list, which had ${before.ids.length} tokens before`;
    return {
      ...noPast,
      states: { [name]: { ...before, empty: before.empty ?? now } },
      doubt,
      rule: filledRule,
    };
  }
  const shown = new Set(ids);
  const missed = (before?.ids ?? []).filter((id) => !shown.has(id));
  const gone = missed.filter((id) => before?.missed?.includes(id));
  const events = gone.length > 0 ? [{ at: now, kind: 'tokens-vanished', target, detail: { ids: gone } }] : [];
  const later = missed.filter((id) => !gone.includes(id));
  const seen: SeenTokens = {
    ids: [...ids, ...later].toSorted(),
    ...(later.length > 0 && { missed: later }),
  };
  const isKnown = JSON.stringify(seen) === JSON.stringify(before);
  return { ...noPast, events, states: isKnown || ids.length === 0 ? {} : { [name]: seen } };
}

/** Returns what of a candle contradicts an earlier one of its pool; undefined if nothing does. */
function describeLeap(before: SeenCandle, candle: SeenCandleValues, now: number): string | undefined {
  const { doubted = now, at } = before;
  if (candle.start === before.start && factor(before.open, candle.open) >= most.open)
    return `open ${describe(candle.open)}, where ${describe(before.open)} was served for the same interval`;
  if (doubted - at > mostApartMs || factor(before.close, candle.close) < most.close) return undefined;
  const times = Number((candle.close / before.close).toPrecision(2));
  return `close ${describe(candle.close)}, ${times} times the ${describe(before.close)} of ${Math.max(1, Math.round((now - at) / 60_000))} min before`;
}

type SeenCandleValues = Pick<SeenCandle, 'start' | 'open' | 'close'>;

function factor(one: number, other: number): number {
  return Math.max(one / other, other / one);
}

function stateName(
  kind: string,
  { requested }: CandleAnswer,
  spec: Evidence['spec'],
  { place }: Pick<BeforeOptions, 'place'>,
): string {
  const { space } = operationById(spec, requested.operation);
  return `${kind} ${place} ${space}/${requested.pool}`;
}

/** Returns the newer of two candles; one that is doubted against stays. */
async function readNewest(
  store: BeforeOptions['store'],
  ...[own, closed]: readonly [string, string]
): Promise<SeenCandle | undefined> {
  const [latest, row] = await Promise.all(
    [own, closed].map(async (name) => ((await store.state(name)) ?? undefined) as SeenCandle | undefined),
  );
  return latest && row && latest.doubted === undefined && row.at > latest.at ? row : (latest ?? row);
}
