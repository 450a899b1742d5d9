import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { damageExchange, type Fields, rows, withoutRequests } from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';
import { type Membership, memberships } from '../../worlds/world.ts';

const rule = 'history/adjoining-ranges-lose-nothing';

/** Answers in days; only that of the day before the week ends where another begins. */
const inDays = ['one DAY', 'week DAY', 'week DAY inverted', 'week DAY spelt otherwise'];

type IsMember = (row: { start: number; end: number; from: number; to: number }) => boolean;

/** Replaces the days by those of another interpretation of the edges. */
function read(isMember: IsMember): (recorded: NamedRecording) => NamedRecording {
  return (recorded) =>
    inDays.reduce((changed, name) => {
      const url = recorded.recording.exchanges[recorded.names.indexOf(name)]?.request.url ?? '';
      const [from, to] = ['from', 'to'].map((name) => Number(new URL(url).searchParams.get(name)));
      const includesDay = ({ startTimestampSeconds: start, timestampSeconds: end }: Fields): boolean =>
        isMember({ start: Number(start), end: Number(end), from: from ?? 0, to: to ?? 0 });
      return damageExchange(
        changed,
        name,
        rows((list) => list.filter(includesDay)),
      );
    }, recorded);
}

/** Every day that touches the range, from which all interpretations can be taken. */
const wide = { membership: 'meets [from, to]' } as const;

const exclusive: Readonly<Record<string, IsMember>> = {
  'starts and ends inside of both edges': ({ start, end, from, to }) => start > from && end < to,
  'starts inside of both edges': ({ start, from, to }) => start > from && start < to,
};

export const adjacentAnswerBreaches: readonly BreachCase[] = Object.entries(exclusive).map(
  ([what, isMember]) => ({
    rule,
    what: `days whose ${what}`,
    world: wide,
    whole: read(isMember),
    expected:
      'the candles beside 2026-03-09T00:00:00Z in the range that ends or in the one that begins there',
    actual: '1 missing: 2026-03-09T00:00:00Z',
  }),
);

/** Half-open ranges by start or by end, each with a world that returns every day it may take. */
const halfOpen: readonly (readonly [what: string, membership: Membership, isMember: IsMember])[] = [
  [
    'start after from and not after to',
    'meets [from, to]',
    ({ start, from, to }) => from < start && start <= to,
  ],
  [
    'end after from and not after to',
    'floored from <= E <= to',
    ({ end, from, to }) => from < end && end <= to,
  ],
  [
    'end not before from and before to',
    'floored from <= E <= to',
    ({ end, from, to }) => from <= end && end < to,
  ],
];

export const adjacentAnswerNearMisses: readonly NearMiss[] = [
  ...memberships.map(
    (membership): NearMiss => ({
      rule,
      what: `edges read as ${membership}`,
      world: { membership },
      evidence: 2,
    }),
  ),
  ...halfOpen.map(
    ([what, membership, isMember]): NearMiss => ({
      rule,
      what: `days whose ${what}`,
      world: { membership },
      whole: read(isMember),
      evidence: 2,
    }),
  ),
  {
    rule,
    what: 'no first day of the week, of which nothing tells that it was observed',
    whole: (recorded) =>
      read(({ start, from }) => start > from)(
        withoutRequests(
          recorded,
          'week HOUR',
          'week HOUR spelt',
          'week HOUR inverted',
          'week HOUR first half',
          'week FIVEMIN',
        ),
      ),
    outcome: 'unexercised',
  },
];
