import type { Judged } from '@candleproof/law/judge/judge';
import type { Candle } from '@candleproof/law/reading/candle';
import type { HistoryAnswer } from '@candleproof/law/reading/reading';
import { intervalLength } from '@candleproof/law/relations/series';
import { closedCandles } from '@candleproof/law/relations/timeline';
import type { Breach } from '@candleproof/law/rules/breach';
import { findRow } from '@candleproof/law/rules/breach';
import type { Mark } from './damage.ts';
import { classifyBreach } from './damage.ts';
import { isHistory } from './undivided.ts';

/** Lists breaches of the law, except those of roll-ups, at the intervals that they concern. */
export function listBreaches({ appliedRules }: Judged): Mark[] {
  return appliedRules.flatMap(({ rule, breaches }) => {
    const kind = classifyBreach(rule);
    if (kind === undefined || kind === 'rollup') return [];
    return breaches.flatMap((breach) => {
      const { answer } = breach;
      if (!isHistory(answer)) return [];
      const { pool, rung: interval } = answer.requested;
      if (interval === undefined) return [];
      const span = rule.isOfWholeAnswers
        ? closedSpan(answer)
        : kind === 'gap'
          ? gapSpan(breach, answer)
          : candleSpan(breach, answer);
      const place = span ?? { from: answer.requested.from, to: answer.requested.to };
      return [
        {
          pool,
          interval,
          ...place,
          kind: span ? kind : ('unreadable' as const),
          rule: rule.id,
          explains: rule.explains,
          detail: formatBreach(breach),
        },
      ];
    });
  });
}

/** Words a breach: `expected 3; received 4`. */
export function formatBreach({ expected, actual }: Breach): string {
  return `expected ${expected}; received ${actual}`;
}

type Span = { readonly from: number; readonly to: number };

/** The interval of the candle that a breach points at; undefined if its start cannot be read. */
function candleSpan({ pointer, candles }: Breach, answer: HistoryAnswer): Span | undefined {
  const candle = findCandle(answer, pointer) ?? candles?.at(-1);
  if (!candle || Number.isNaN(candle.start)) return undefined;
  return { from: candle.start, to: candle.start + intervalLength(answer) };
}

function findCandle(answer: HistoryAnswer, pointer: string): Candle | undefined {
  const { candles } = answer;
  const row = findRow({ answer, pointer });
  if (row === undefined) return undefined;
  const candle = candles[row];
  return candle?.row === row ? candle : candles.find((candle) => candle.row === row);
}

/** From the first to the last closed candle. */
function closedSpan(answer: HistoryAnswer): Span | undefined {
  const closed = closedCandles(answer);
  const [first, last] = [closed[0], closed.at(-1)];
  return first && last && { from: first.start, to: last.start + intervalLength(answer) };
}

/** Whole intervals before the second candle that the first one proves. */
function gapSpan({ candles }: Breach, answer: HistoryAnswer): Span | undefined {
  const [proof, next] = candles ?? [];
  if (!proof || !next) return undefined;
  const length = intervalLength(answer);
  return { from: next.start - Math.ceil((next.start - proof.start) / length) * length, to: next.start };
}
