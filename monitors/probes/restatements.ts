import type { HistoryAnswer } from '@candleproof/law/reading/reading';
import { isInverted } from '@candleproof/law/relations/series';
import type { EventRecord, Json, PinRecord, ResultsStore } from '../results/results-store.ts';
import { type Comparison, compare, type IsBroken, type Restated } from './pinned-candles.ts';

/** Fewer candles that are gone show an answer that was cut short sooner than a new network. */
const fewestForReset = 3;

/** More than one closed candle changed between two observations: that is no correction of a price. */
const fewestForDoubt = 2;

/** Ms after its end during which a candle may still change through late observations. */
const correctionsMs = 600_000;

/** A day of failures in three probe runs pages somebody at any cadence; after that the past as served is the one to compare with. */
export const doubtMs = 86_400_000;
const fewestDoubts = 3;

/** A new network has no closed candle for up to an hour: an empty history is none of its own for two. */
const emptyMs = 7_200_000;

/** The differences between closed candles and those of the slots before. */
export type PastComparison = {
  readonly pins: readonly PinRecord[];
  readonly events: readonly EventRecord[];
  /** True if the target's network was reset: its pins are dropped before these are kept. */
  readonly isReset: boolean;
  /** Why the answer counts as wrong, in words, and the rule that it breaks; by default, that closed candles stay. */
  readonly doubt?: string;
  readonly rule?: string;
  /** The cause in short, if the id of the rule does not say it. */
  readonly cause?: string;
  readonly states: Readonly<Record<string, Json>>;
};

export type PastOptions = {
  readonly target: string;
  /** The id of the probe at its location, whose slots follow each other. */
  readonly id: string;
  /** The location and the target. */
  readonly place: string;
  /** True if the target's network may be reset, as test networks are. */
  readonly mayReset: boolean;
  /** True if the rule applies that a closed candle never changes. */
  readonly isLaw: boolean;
  /** Finds the candles that break a rule. */
  readonly isBroken?: IsBroken;
  readonly store: Pick<ResultsStore, 'pins' | 'state'>;
  /** Unix ms. */
  readonly now: number;
};

/** Looks one after the other that found another past than the pinned one. */
type Doubt = {
  readonly since: number;
  readonly looks: number;
  readonly isNew: boolean;
  /** True once it is reported that half of the past is gone. */
  readonly isLost?: boolean;
};

export const noPast: PastComparison = { pins: [], events: [], isReset: false, states: {} };

/** Compares the closed candles of a slot's answers with those that were pinned. */
export async function compareWithPins(
  histories: readonly HistoryAnswer[],
  options: PastOptions,
): Promise<PastComparison> {
  const { target, store, now } = options;
  // Without a Date header it is unknown which candles of an answer are closed.
  const requested = histories.filter((history) => !isInverted(history) && history.serverNow !== undefined);
  if (requested.length === 0) return noPast;
  const found = await compare(requested, target, store, now, options.isBroken);
  const doubtful = found.changes.filter(({ ageMs }) => ageMs >= correctionsMs);
  const before = await readDoubt(options);
  if (!options.isLaw || doubtful.length < fewestForDoubt) {
    return {
      pins: found.pins,
      events: found.events,
      isReset: false,
      states: doubtState(options, before, null),
    };
  }
  return doubtedComparison(found, doubtful, before, options);
}

/**
 * Decides about an answer that contradicts pinned candles. It counts as a network reset if two probe runs in a row show
 * other candles and none of the pinned ones. Otherwise it is wrong, and nothing is pinned, so that a repair is noticed.
 */
function doubtedComparison(
  found: Comparison,
  doubtful: readonly Restated[],
  before: Doubt | undefined,
  options: PastOptions,
): PastComparison {
  const { target, mayReset, now } = options;
  const { pins, compared } = found;
  const isPatient = found.isEmpty && now - (before?.since ?? now) < emptyMs && (before?.isNew ?? true);
  const isNew = mayReset && (found.isNew || isPatient) && compared >= fewestForReset;
  const gone = doubtful.filter(({ isGone }) => isGone).length;
  const isLost = !isNew && compared >= fewestForReset && 2 * gone >= compared;
  const doubt = {
    ...{ since: before?.since ?? now, looks: (before?.looks ?? 0) + 1, isNew },
    isLost: isLost || before?.isLost,
  };
  const network = isNew ? { [networkName(options.place)]: doubt.since } : {};
  const event = (kind: string, detail: EventRecord['detail']): EventRecord[] => [
    { at: now, kind, target, detail },
  ];
  if (isNew && found.isNew && before?.isNew) {
    const events = event('network-reset', { candles: compared });
    const states = { ...doubtState(options, before, null), ...network };
    return { pins, events, isReset: true, states };
  }
  if (now - doubt.since >= doubtMs && doubt.looks > fewestDoubts) {
    const events = event('past-accepted', { candles: doubtful.length, since: doubt.since });
    return { pins, events, isReset: false, states: doubtState(options, before, null) };
  }
  return {
    pins: [],
    // Reported once, however long it lasts, and once if it becomes half of the past; what may be a new network, when the next look has shown that it is none.
    events: [
      ...((before && !before.isNew) || isNew ? [] : found.events),
      ...(isLost && !before?.isLost ? event('past-lost', { gone, compared }) : []),
    ],
    isReset: false,
    ...(isNew ? {} : { doubt: formatDoubt(doubtful, compared) }),
    states: { ...doubtState(options, before, doubt), ...network },
  };
}

/** Returns the state that says since when (Unix ms) the network of a place is or may be another one. */
export function networkName(place: string): string {
  return `network ${place}`;
}

function formatDoubt(doubtful: readonly Restated[], compared: number): string {
  const gone = doubtful.filter(({ isGone }) => isGone).length;
  const changed = doubtful.filter(({ isGone }) => !isGone);
  const fields = [...new Set(changed.flatMap((restated) => restated.fields))].toSorted().slice(0, 4);
  const parts = [
    ...(changed.length > 0 ? [`${changed.length} changed (${fields.join(', ')})`] : []),
    ...(gone > 0 ? [`${gone} vanished`] : []),
  ];
  return `of ${compared} closed candles that were seen before, ${parts.join(' and ')}`;
}

function stateName({ id }: PastOptions): string {
  return `doubt ${id}`;
}

async function readDoubt(options: PastOptions): Promise<Doubt | undefined> {
  const kept = (await options.store.state(stateName(options))) as Doubt | null | undefined;
  return kept ?? undefined;
}

function doubtState(
  options: PastOptions,
  before: Doubt | undefined,
  doubt: Doubt | null,
): PastComparison['states'] {
  return before || doubt ? { [stateName(options)]: doubt } : {};
}
