import { amounts, type CandleRole, tradeSums } from '@candleproof/document/spec/roles';
import { amountText, type Candle } from '../reading/candle.ts';
import type { Answer } from '../reading/reading.ts';
import { answersWithRows, type Evidence } from '../relations/evidence.ts';
import { type Breach, candleAddress, type DrawnCandle, type Picture } from '../rules/breach.ts';

/** Candles that one example shows. */
export const mostCandles = 26;

/** A breach with its row and field, which every candle that is drawn for it is compared with. */
type PlacedBreach = Breach & { readonly row: number | undefined; readonly field: CandleRole | undefined };

/** Draws the candles that a breach names. */
export function drawCandles(breach: PlacedBreach, evidence: Evidence): DrawnCandle[] {
  return withNeighbours(breach.candles ?? [], breach.answer)
    .filter(isDrawable)
    .slice(0, mostCandles)
    .map((candle) => draw(candle, breach, evidence));
}

/** A single candle of a series is drawn between those beside it. */
function withNeighbours(candles: readonly Candle[], answer: Answer): readonly Candle[] {
  const [only] = candles;
  if (!only || candles.length > 1 || answer.candles.length < 2) return candles;
  return answer.candles.filter((candle) => Math.abs(candle.row - only.row) <= 3);
}

/** A price or time that is no number cannot be drawn. */
function isDrawable({ start, end, open, high, low, close }: Candle): boolean {
  return [start, end, open, high, low, close].every(Number.isFinite);
}

/** Draws the times and prices of a candle. */
export function drawPrices(candle: Candle): Omit<DrawnCandle, 'amount' | 'address' | 'offending'> {
  const { start, end, open, high, low, close, avg } = candle;
  return { start, end, open, high, low, close, ...(Number.isFinite(avg) && { avg }) };
}

/** Draws a candle; it is offending if the breach names it among its candles and points at its row. */
function draw(candle: Candle, breach: PlacedBreach, evidence: Evidence): DrawnCandle {
  const holder = findHolder(candle, breach, evidence);
  const isForeign = holder !== undefined && holder !== breach.answer;
  return { ...drawOwn(candle, breach), ...(isForeign && addressCandle(holder, candle.start)) };
}

function drawOwn(candle: Candle, { answer, candles = [], row, field }: PlacedBreach): DrawnCandle {
  const isNamed = candle.row === row && answer.candles.includes(candle);
  const amount = readAmount(candle, field);
  return {
    ...drawPrices(candle),
    ...(Number.isFinite(amount) && { amount }),
    offending: isNamed && candles.includes(candle),
  };
}

function readAmount(candle: Candle, field: CandleRole | undefined): number {
  const amount = [...amounts, ...tradeSums].find((role) => role === field);
  return amount === undefined ? Number.NaN : Number(amountText(candle, amount) ?? Number.NaN);
}

/** Draws the candles of the other answer that a breach compares its own with. */
export function drawPicture(
  { other, ...picture }: NonNullable<Breach['picture']>,
  breach: PlacedBreach,
  evidence: Evidence,
): Picture {
  if (!other) return picture;
  const candles = other.candles.filter(isDrawable).slice(0, mostCandles);
  const [first] = candles;
  const holder = first && findHolder(first, breach, evidence);
  return {
    ...picture,
    other: {
      ...other,
      ...(holder && addressCandle(holder, first.start)),
      candles: candles.map((candle) => drawOwn(candle, breach)),
    },
  };
}

/** Returns the address of the candle of an answer that begins at a time, or should; none if it holds no candles. */
export function addressCandle({ requested }: Answer, start: number): { readonly address?: string } {
  const isOfCandles = requested !== undefined && requested.role !== 'tokens' && Number.isFinite(start);
  return isOfCandles ? { address: candleAddress(requested, start) } : {};
}

/** Returns the answer that holds a candle, of which a breach may name some of other answers. */
function findHolder(candle: Candle, { answer }: PlacedBreach, evidence: Evidence): Answer | undefined {
  if (answer.candles.includes(candle)) return answer;
  return answersWithRows(evidence).find(({ candles }) => candles.includes(candle));
}
