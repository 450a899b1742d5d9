import type { MissingKind } from '@candleproof/law/rules/breach';
import type { Distortion } from '@candleproof/reference-service/api/distortion';
import { createDraws } from '@candleproof/reference-service/market/pool-walk';
import type { ServiceOptions } from '@candleproof/reference-service/start';
import type { SparseMarket } from '@candleproof/reference-service/testing/sparse-market';
import covertable from 'covertable';

type Choices = Required<NonNullable<ServiceOptions['choices']>>;

type CandleChange = NonNullable<Distortion['candle']>;

const [hour, day] = [3600, 86_400];

/** Keeps these draws apart from those of prices and losses. */
const oddSeries = 8_000_000;

/** A service that is odd in ways that its document allows. */
export type OddService = {
  readonly title: string;
  readonly market: SparseMarket;
  readonly options: Pick<ServiceOptions, 'choices' | 'troubles' | 'quota'>;
  /** Unix milliseconds. */
  readonly now: number;
  /** The kind of missing rows; empty if every minute was observed. */
  readonly kinds: readonly MissingKind[];
  /** Silent for longer than the recent hours cover, so that nothing can be judged of such a pool. */
  readonly isOutOfView: boolean;
};

type Quiet = Pick<SparseMarket, 'losses' | 'tradesOnly' | 'v1EndsBefore' | 'v2EndsBefore'>;

/** Draws one of some things, the same for the same seed. */
type Draw = <Value>(place: number, values: readonly Value[]) => Value;

const sparse: readonly (readonly [title: string, quiet: Quiet])[] = [
  ['observed when it trades', { tradesOnly: true }],
  ['a fifth of stretches of 47 minutes lost', { losses: { minutes: 47, share: 0.2 } }],
  ['three hours lost in all pools now and then', { losses: { minutes: 200, share: 0.15, together: true } }],
  ['three minutes of ten lost', { losses: { minutes: 1, share: 0.3 } }],
];

const silences = [2 * hour, 10 * hour, day, 3 * day, 6 * day, 12 * day];

/** Middays, and boundaries of five minutes, hours, days, weeks, months and a year. */
const instants = [
  '2026-03-11T15:32:20Z',
  '2026-03-12T08:05:00Z',
  '2026-03-13T21:00:00Z',
  '2026-03-15T00:00:00Z',
  '2026-03-16T00:00:00Z',
  '2026-04-01T00:00:00Z',
  '2026-04-01T04:00:00Z',
  '2027-01-01T00:00:00Z',
].map((time) => Date.parse(time));

/** Milliseconds before or after a boundary at which a check begins; with the shortest, it passes the boundary. */
const offsets = [-30_000, -150, 0, 1_000, 150_000];

/** Draws one odd service; every way of being quiet comes once in eight seeds. */
export function drawOddService(seed: number): OddService {
  const draws = createDraws(seed, oddSeries, 0);
  const pick: Draw = (place, values) =>
    values[Math.floor(draws.uniform(place) * values.length)] as (typeof values)[number];
  const quiet = drawQuiet(seed, pick);
  const now = pick(1, instants) + pick(2, offsets);
  const days = pick(3, quiet.shortest < 14 ? [2, 4, 6, 9, 12, 18] : [16, 20]);
  const bent = drawTroubles(pick);
  const choices = pick(4, coveringChoices);
  const isBeyond = choices.overLimit === 'served' && draws.uniform(5) < 0.3;
  const title = [
    quiet.title,
    `${days} days old`,
    new Date(now).toISOString(),
    ...bent.titles,
    ...(isBeyond ? ['beyond its limit'] : []),
    JSON.stringify(choices),
  ].join(', ');
  return {
    title,
    market: { seed, days: Math.max(days, quiet.shortest), now: now / 1000 + 600, ...quiet.quiet },
    options: { choices, ...bent, quota: { limit: 500, remaining: isBeyond ? 20 : 500 } },
    now,
    kinds: quiet.kinds,
    isOutOfView: quiet.shortest > 10,
  };
}

type DrawnQuiet = {
  readonly title: string;
  readonly quiet: Quiet;
  readonly kinds: readonly MissingKind[];
  /** Minimum age of the market in days. */
  readonly shortest: number;
};

function drawQuiet(seed: number, pick: Draw): DrawnQuiet {
  const way = seed % 8;
  const [title, losses] = sparse[way] ?? ['observed each minute', {}];
  if (way < 4) return { title, quiet: losses, kinds: ['consistent', 'at the end'], shortest: 2 };
  if (way === 7) return { title: 'observed each minute', quiet: {}, kinds: [], shortest: 2 };
  const seconds = pick(6, silences);
  const shortest = Math.ceil(seconds / day) + 2;
  const after = `${seconds / hour} h`;
  const ends = 600 + seconds;
  if (way === 4)
    return {
      title: `V2 silent for ${after}`,
      quiet: { v2EndsBefore: ends },
      kinds: ['at the end'],
      shortest,
    };
  if (way === 5)
    return { title: `V1 silent for ${after}`, quiet: { v1EndsBefore: ends }, kinds: [], shortest };
  return {
    title: `all silent for ${after}, stretches lost before`,
    quiet: { v1EndsBefore: ends, v2EndsBefore: ends, losses: { minutes: 47, share: 0.2 } },
    kinds: ['consistent', 'at the end'],
    shortest,
  };
}

/** Draws how amounts are rounded and how slowly answers come. */
function drawTroubles(pick: Draw): { readonly titles: string[]; readonly troubles: Distortion[] } {
  const digits = pick(7, [0, 0, 10, 8, 6]);
  const isInDollars = pick(8, [false, false, true]);
  const wait = pick(9, [0, 0, 5, 20]);
  return {
    titles: [
      ...(digits > 0 ? [`prices of ${digits} digits`] : []),
      ...(isInDollars ? ['whole dollars'] : []),
      ...(wait > 0 ? [`answers after ${wait} ms`] : []),
    ],
    troubles: [
      ...(digits > 0 ? [{ candle: roundedPrices(digits) }] : []),
      ...(isInDollars ? [{ candle: roundToDollars }] : []),
      ...(wait > 0 ? [delayReplies(wait)] : []),
    ],
  };
}

function roundedPrices(digits: number): CandleChange {
  const rounded = (price: number): number => Number(price.toPrecision(digits));
  return (candle) => ({
    ...candle,
    open: rounded(candle.open),
    high: rounded(candle.high),
    low: rounded(candle.low),
    close: rounded(candle.close),
    avg: rounded(candle.avg),
  });
}

const roundToDollars: CandleChange = (candle) => {
  const rounded = (amount: string): string => String(Math.round(Number(amount)));
  return { ...candle, volumeUsd: rounded(candle.volumeUsd), liquidityUsd: rounded(candle.liquidityUsd) };
};

function delayReplies(wait: number): Distortion {
  return { reply: (reply) => ({ ...reply, delivery: { ...reply.delivery, wait } }) };
}

/** Days after Thursday on which weeks can begin: Monday, Thursday, Sunday, Saturday. */
const weekStarts = [4, 0, 3, 2];

/** All options of a healthy service for which the document leaves a choice. */
const open: {
  readonly [name in Exclude<keyof Choices, 'keyRequired'>]: readonly Choices[name][];
} = {
  missingKeyStatus: [401, 403],
  errorBody: ['problem', 'message'],
  weekAnchor: weekStarts.map((days) => days * 86_400),
  membership: ['end-in-range', 'start-in-range'],
  openInHistory: [true, false],
  openEnd: ['last-sample', 'interval-end'],
  extraFields: [false, true],
  quotaZone: ['UTC', 'Etc/GMT+4', 'Europe/London'],
  overLimit: ['served', 'refused'],
  order: ['ascending', 'descending'],
};

/** Combinations in which every pair of options of two choices occurs at least once. */
export const coveringChoices: readonly Partial<Choices>[] = covertable.make(
  open as never,
  {},
) as Partial<Choices>[];
/** Lists the pairs of options that no combination covers. */
export function listUncovered(choices: readonly Partial<Choices>[]): string[] {
  const names = Object.keys(open) as (keyof typeof open)[];
  return names.flatMap((one, index) =>
    names
      .slice(index + 1)
      .flatMap((other) =>
        open[one].flatMap((a) =>
          open[other].flatMap((b) =>
            choices.some((choice) => choice[one] === a && choice[other] === b)
              ? []
              : [`${one}=${a} with ${other}=${b}`],
          ),
        ),
      ),
  );
}
