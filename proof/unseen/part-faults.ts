import { changing, good, type OddRow, type ProxiedCall, type UnseenFault, withContent } from './fault.ts';
import { inTurn } from './remembering.ts';
import { askParts, partsOf } from './row-faults.ts';

type OddToken = Record<'id' | 'symbol' | 'icon' | 'price', string>;

const smaller: Record<string, string> = { HOUR: 'FIVEMIN', DAY: 'HOUR', WEEK: 'DAY' };

/** Changes each row of histories by what `change` returns for it and the rows of the next smaller interval. */
export const withParts = (
  change: (row: OddRow, parts: readonly OddRow[], from: number) => Partial<OddRow>,
): UnseenFault['make'] =>
  // The parts are requested too, which must not move the counters of others.
  inTurn(() => async (call, ask) => {
    const reply = await ask();
    const interval = smaller[call.interval ?? ''];
    if (!good(call, reply) || call.operation !== 'history' || !interval) return reply;
    const rows = JSON.parse(reply.body) as OddRow[];
    const all = await askParts(call, ask, interval, rows);
    const changed = rows.map((row) => {
      const parts = partsOf(row, all);
      return parts.length ? { ...row, ...change(row, parts, call.from) } : row;
    });
    return withContent(reply, changed);
  });

/** Changes the list of tokens. */
export const changingTokens = (edit: (tokens: OddToken[], n: number) => OddToken[]) =>
  changing(['tokens'], (reply, call) =>
    withContent(reply, edit(JSON.parse(reply.body) as OddToken[], call.n)),
  );

/** Shows a fault by a request of the token list, of its own kind if that is given. */
export const showTokens =
  (headers: Record<string, string> = {}, times = 1): UnseenFault['shows'] =>
  () => [{ path: '/tokens', headers, times }];

/** Sends some calls with other parameters than they have. */
export const askingInstead =
  (
    when: (call: ProxiedCall) => boolean,
    changes: (call: ProxiedCall) => Record<string, unknown>,
  ): UnseenFault['make'] =>
  () =>
  (call, ask) => {
    if (!when(call)) return ask();
    const params = new URLSearchParams(call.query);
    for (const [name, value] of Object.entries(changes(call))) params.set(name, String(value));
    return ask({ url: `${call.url.split('?')[0]}?${params}` });
  };
