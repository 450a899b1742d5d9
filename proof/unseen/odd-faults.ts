import {
  changingRows,
  good,
  numberFaults,
  type ProxiedCall,
  seconds,
  type UnseenEntry,
  type UnseenFault,
  withContent,
  withHeaders,
  withoutHeaders,
} from './fault.ts';
import { admitting, chargeRefusals, readKeyHeader } from './remembering.ts';

const month = (at: number) => new Date(at * 1000).getUTCMonth();
const width = (call: ProxiedCall) => seconds[call.interval ?? ''] ?? 0;

const unknownPool: UnseenFault['shows'] = ({ now, history }) => [
  { path: history('HOUR', now - 7200, now, '', 99_999) },
];

const odd: readonly UnseenEntry[] = [
  [
    'A key in other letter case is let in',
    admitting(({ issued }, key) => key.toLowerCase() === issued.toLowerCase()),
    ({ issued }) => [
      { path: '/tokens', key: issued.toUpperCase() },
      { path: '/tokens', key: issued.toLowerCase() },
    ],
  ],
  [
    'A key with more characters behind it is let in',
    admitting(({ issued }, key) => key.startsWith(issued)),
    ({ issued }) => [{ path: '/tokens', key: `${issued}0` }],
  ],
  [
    'A range that starts at an odd second loses two rows',
    changingRows(
      (rows, call) => (call.from % 60 !== 0 && rows.length > 3 ? rows.slice(2) : rows),
      ['history'],
    ),
    ({ now, history }) => [{ path: history('HOUR', Math.floor(now / 60) * 60 - 36_001, now) }],
  ],
  [
    'The last row of a month comes twice',
    changingRows(
      (rows) =>
        rows.flatMap((row, at) => {
          const next = rows[at + 1];
          const last = next && month(next.startTimestampSeconds) !== month(row.startTimestampSeconds);
          return last ? [row, row] : [row];
        }),
      ['history'],
    ),
    ({ now, history }) => {
      const border = Date.UTC(new Date(now * 1000).getUTCFullYear(), new Date(now * 1000).getUTCMonth());
      return [{ path: history('HOUR', border / 1000 - 7200, border / 1000 + 7200) }];
    },
  ],
  [
    'Hours of more than twenty days are served as days',
    () => (call, ask) =>
      ask(
        call.operation === 'history' && call.interval === 'HOUR' && call.to - call.from > 20 * 86_400
          ? { url: call.url.replace('HOUR', 'DAY') }
          : {},
      ),
    ({ now, history }) => [{ path: history('HOUR', now - 21 * 86_400, now) }],
  ],
  [
    'The time after now is filled with candles',
    changingRows(
      (rows, call) => {
        const last = rows.at(-1);
        if (!last || !(call.to > call.now + width(call))) return rows;
        const startTimestampSeconds = last.startTimestampSeconds + width(call);
        return [
          ...rows,
          { ...last, startTimestampSeconds, timestampSeconds: startTimestampSeconds + width(call) },
        ];
      },
      ['history'],
    ),
    ({ now, history }) => [{ path: history('HOUR', now - 7200, now + 7200) }],
  ],
  [
    'A history that is requested for the third time is empty',
    () => async (call, ask) => {
      const reply = await ask();
      const empty = good(call, reply) && call.operation === 'history' && call.repeats >= 2;
      return empty ? withContent(reply, []) : reply;
    },
    ({ now, history }) => [{ path: history('HOUR', now - 7200, now), times: 3 }],
  ],
  [
    'A refusal for want of a key has no quota headers',
    () => async (call, ask) => {
      const reply = await ask();
      return reply.status >= 400 && !readKeyHeader(call) ? withoutHeaders(reply, 'x-ratelimit-') : reply;
    },
    () => [{ path: '/tokens', key: '' }],
  ],
  ['A refused request costs two of the month', chargeRefusals, unknownPool],
  [
    'A refusal counts an additional request while requests are left',
    () => async (_, ask) => {
      const reply = await ask();
      return reply.status >= 400 && Number(reply.headers['x-ratelimit-remaining']) > 0
        ? withHeaders(reply, { 'x-ratelimit-additional-total': '1' })
        : reply;
    },
    unknownPool,
  ],
];

/** Wrong only for odd ranges, repetitions, keys, refusals and counters. */
export const oddFaults = numberFaults('C', 31, odd);
