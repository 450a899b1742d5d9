import type { Answer } from '@candleproof/law/reading/reading';
import type { Evidence } from '@candleproof/law/relations/evidence';

/**
 * Returns the age in ms of the newest candle of an answer, by the service's clock; of several answers the stalest.
 * A candle that is stamped with its planned end lies in the future and shows no age.
 */
export function oldestAge({ answers }: Evidence): number | undefined {
  const ages = answers.flatMap((answer) => newestAge(answer) ?? []);
  return ages.length === 0 ? undefined : Math.max(...ages);
}

function newestAge({ candles, serverNow }: Answer): number | undefined {
  const newest = candles.reduce((latest, { end }) => (end > latest ? end : latest), Number.NEGATIVE_INFINITY);
  if (serverNow === undefined || newest > serverNow || !Number.isFinite(newest)) return undefined;
  return (serverNow - newest) * 1000;
}
