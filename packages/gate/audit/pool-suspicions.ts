import { amountText, type Candle } from '@candleproof/law/reading/candle';
import type { RangeKind } from '../gated.ts';
import { Observer } from '../judging/observer.ts';
import { Ranges } from '../judging/ranges.ts';
import type { DoubtKind, Mark } from './damage.ts';

/**
 * Doubts about a table that hold for a pool too, by the kind of its damage. A pool in which nobody trades stands still,
 * so that only its worth in USD shows flat lines.
 */
const kinds = {
  ...{ spike: 'spike', jump: 'jump', line: 'line', rounded: 'rounded', volume: 'volume', swapped: 'swapped' },
  copy: 'repeated',
} as const satisfies Partial<Record<RangeKind, DoubtKind>>;

/** Finds ranges that the gate would doubt if a series were a table; `candles` are in the order of time. */
export function findSuspicions(
  candles: readonly Candle[],
  length: number,
): Pick<Mark, 'from' | 'to' | 'kind' | 'detail' | 'severity' | 'isBeyondChance'>[] {
  const found = new Ranges();
  const observer = new Observer({ length, direction: 1 }, found);
  for (const [line, candle] of candles.entries()) observer.take(toRow(candle, line));
  observer.end(false);
  return found.list().flatMap(({ from, to, kind, detail, severity, isBeyondChance }) => {
    const named = Object.hasOwn(kinds, kind) ? kinds[kind as keyof typeof kinds] : undefined;
    return named === undefined ? [] : [{ from, to, kind: named, detail, severity, isBeyondChance }];
  });
}

function toRow(candle: Candle, line: number): Parameters<Observer['take']>[0] {
  const { start, open, high, low, close, avg } = candle;
  return {
    ...{ line, start, open, high, low, close, avg },
    ...{ volume: Number(amountText(candle, 'volume')), quote: Number.NaN, trades: Number.NaN },
    ...{ volumeText: '', unread: undefined, isSound: true },
  };
}
