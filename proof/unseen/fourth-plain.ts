import { numberFaults, withHeaders } from './fault.ts';
import { changingTokens, showTokens, withParts } from './part-faults.ts';
import { changingAll, eachRow, keepRows, mapPrices, newest } from './row-faults.ts';

/** Shifts the stamps of a day to the midnight of Hong Kong. */
const eastward = 8 * 3600;

export const fourthPlain = numberFaults('A', 1, [
  [
    'A day is stamped from midnight in Hong Kong, its values are of the day of UTC (§2.2 startTimestampSeconds)',
    eachRow(({ startTimestampSeconds: start, timestampSeconds: end }, { interval }) => {
      if (interval !== 'DAY') return {};
      const isClosed = end - start === 86_400;
      return {
        startTimestampSeconds: start - eastward,
        timestampSeconds: isClosed ? end - eastward : end,
      };
    }),
    newest('DAY', 3),
  ],
  [
    'A merge of two sources counts the volume of the first part twice (§2.2 volume)',
    withParts(({ volume, volumeUsd }, [first]) => ({
      volume: String(Number(volume) + Number(first?.volume)),
      volumeUsd: (Number(volumeUsd) + Number(first?.volumeUsd)).toFixed(2),
    })),
    newest('HOUR', 3),
  ],
  [
    'The average is of the closes of the parts (§2.2 avg)',
    withParts((_, parts) => ({ avg: parts.reduce((sum, { close }) => sum + close, 0) / parts.length })),
    newest('HOUR', 3),
  ],
  [
    'Inverted candles keep high and low in their places (§2.2 high)',
    eachRow(({ high, low }, { inverted }) => (inverted ? { high: low, low: high } : {})),
    newest('HOUR', 3, '&inverted=true'),
  ],
  [
    'Inverted prices are one divided by a price of six digits (§4.2 inverted)',
    eachRow((row, { inverted }) =>
      inverted ? mapPrices(row, (price) => 1 / Number((1 / price).toPrecision(6))) : {},
    ),
    newest('HOUR', 3, '&inverted=true'),
  ],
  [
    'Liquidity is of the end of the first part (§2.2 liquidity)',
    withParts((_, [first]) => ({ liquidity: first?.liquidity, liquidityUsd: first?.liquidityUsd })),
    newest('DAY', 3),
  ],
  [
    'Liquidity is converted to dollars at the rate of the first part (§2.2 liquidityUsd)',
    withParts(({ liquidity }, [first]) => ({
      liquidityUsd: ((Number(liquidity) * Number(first?.liquidityUsd)) / Number(first?.liquidity)).toFixed(2),
    })),
    newest('DAY', 3),
  ],
  [
    'Volumes in dollars have commas between thousands (§2.2 volumeUsd)',
    eachRow(({ volumeUsd }) => ({ volumeUsd: Number(volumeUsd).toLocaleString('en') })),
    newest('HOUR', 3),
  ],
  [
    'The counter of requests is written after every ten (§8 “decreases as requests are made”)',
    changingAll((reply) => {
      const left = Number(reply.headers['x-ratelimit-remaining']);
      return withHeaders(reply, { 'x-ratelimit-remaining': String(Math.ceil(left / 10) * 10) });
    }),
    showTokens(),
  ],
  [
    'High and low see only the opens and closes of the parts (§2.2 high)',
    withParts((_, parts) => {
      const seen = parts.flatMap(({ open, close }) => [open, close]);
      return { high: Math.max(...seen), low: Math.min(...seen) };
    }),
    newest('DAY', 3),
  ],
  [
    'The icon of a token without a picture is an absolute address (§2.1 icon)',
    changingTokens((tokens) =>
      tokens.map((token) =>
        token.icon.endsWith('default.png') ? { ...token, icon: `https://cdn.invalid${token.icon}` } : token,
      ),
    ),
    showTokens(),
  ],
  [
    'The range begins after from, not at it (§4.2 “one per INTERVAL in the range”)',
    keepRows((row, { from }) => row.startTimestampSeconds !== from),
    ({ now, history }) => [{ path: history('FIVEMIN', now - (now % 300) - 3000, now) }],
  ],
]);
