import { changing, numberFaults, type OddRow, withContent, withHeaders, withoutHeaders } from './fault.ts';
import { changingAll, eachRow, keepRows, newest } from './second-fault.ts';
import { changingTokens, showTokens, withParts } from './third-fault.ts';

export const thirdPlain = numberFaults('A', 1, [
  [
    'A candle opens with the close before it, so that charts have no gaps (§2.2 open)',
    eachRow(
      (row, _, rows, at) => {
        const open = rows[at - 1]?.close ?? row.open;
        return { open, high: Math.max(row.high, open), low: Math.min(row.low, open) };
      },
      ['history'],
    ),
    newest('FIVEMIN', 6),
  ],
  [
    'Liquidity is the mean of what the parts hold (§2.2 liquidity)',
    withParts((_, parts) => {
      const held = parts.reduce((sum, { liquidity }) => sum + Number(liquidity), 0);
      return { liquidity: String(Math.round(held / parts.length)) };
    }),
    newest('HOUR', 3),
  ],
  [
    'The whole volume is converted to dollars at the rate of the last minute (§2.2 volumeUsd)',
    eachRow(({ volume, liquidity, liquidityUsd }) => ({
      volumeUsd: ((Number(volume) * Number(liquidityUsd)) / Number(liquidity)).toFixed(2),
    })),
    newest('DAY', 3),
  ],
  [
    'The reset is a number of milliseconds from now (§8 reset)',
    changingAll((reply, call) =>
      withHeaders(reply, {
        'x-ratelimit-reset': String(Number(reply.headers['x-ratelimit-reset']) - call.now * 1000),
      }),
    ),
    showTokens(),
  ],
  [
    'A join by symbol doubles the tokens that share one (§4.1 list of tokens)',
    changingTokens((tokens) =>
      tokens.flatMap((token) => tokens.filter(({ symbol }) => symbol === token.symbol).map(() => token)),
    ),
    showTokens(),
  ],
  [
    'The latest candle gives its pool as it stood in the path, as text (§2.2 poolId)',
    changing(['latest'], (reply, call) =>
      withContent(reply, { ...(JSON.parse(reply.body) as OddRow), poolId: String(call.pool) }),
    ),
    ({ latest }) => [{ path: latest('HOUR') }],
  ],
  [
    'Inversion also swaps open and close (§4.2 inverted)',
    eachRow(({ open, close }, { inverted }) => (inverted ? { open: close, close: open } : {})),
    newest('HOUR', 3, '&inverted=true'),
  ],
  [
    'A loop that begins at one leaves the first part out of high and low (§2.2 high, low)',
    withParts((row, [, ...parts]) => ({
      high: parts.length ? Math.max(...parts.map(({ high }) => high)) : row.high,
      low: parts.length ? Math.min(...parts.map(({ low }) => low)) : row.low,
    })),
    newest('HOUR', 12),
  ],
  [
    'The count beyond the limit is sent only if it is not zero (§8 every response)',
    changingAll((reply) =>
      reply.headers['x-ratelimit-additional-total'] === '0'
        ? withoutHeaders(reply, 'x-ratelimit-additional')
        : reply,
    ),
    showTokens(),
  ],
  [
    'Dollars have commas between thousands (§2.2 decimal text)',
    eachRow(({ volumeUsd, liquidityUsd }) => ({
      volumeUsd: Number(volumeUsd).toLocaleString('en-US'),
      liquidityUsd: Number(liquidityUsd).toLocaleString('en-US'),
    })),
    newest('HOUR', 3),
  ],
  [
    'The candle that starts at from is not in the range (§4.2 from)',
    keepRows((row, { from }) => row.startTimestampSeconds !== from),
    ({ history }) => [{ path: history('HOUR', 1794736800, 1794744000) }],
  ],
  [
    'Volume is summed in 32-bit floats (§2.2 volume)',
    eachRow(({ volume }) => ({ volume: String(Math.fround(Number(volume))) })),
    newest('HOUR', 3),
  ],
]);
