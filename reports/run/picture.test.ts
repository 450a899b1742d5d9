import type { Example } from '@candleproof/law/judge/verdict';
import type { DrawnCandle } from '@candleproof/law/rules/breach';
import { expect, test } from '@playwright/test';
import { hourly, joinDay, midnight, withOffender } from '../testing/candles.ts';
import { placeName } from '../words/finding-words.ts';
import { candleId, keepFirstIds, markup } from '../words/markup.ts';
import { evidenceFigure } from './picture.ts';

const hour = 3600;

const example = (of: Partial<Example>): Example => ({
  ...{ exchange: 3, pointer: '/3/4', expected: 'another value', actual: 'this value' },
  ...of,
});

const draw = (of: Partial<Example>): string =>
  evidenceFigure(example(of), 'one', () => undefined)?.source ?? '';

const beside = [{ exchange: 4, pointer: '/0' }];

const withoutAverage = ({ avg: _, ...candle }: DrawnCandle): DrawnCandle => candle;

test('candles of an API that gives no average are drawn with the numbers that it gives', () => {
  const candles = withOffender(hourly(7), 3, { high: 0.01 }).map(withoutAverage);
  const source = draw({ candles, field: 'high' });
  expect(source.match(/<g class="candle /g)).toHaveLength(7);
  expect(source).toContain('<div class="named"><dt>high</dt><dd>0.01</dd></div>');
  expect(source).not.toMatch(/avg|average|NaN/);
});

test('each drawn candle has its address: its own, or that of the candle in question at its start', () => {
  const foreign = 'klines-c-BTC_2f_EUR-1d-7-i';
  const candles = withOffender(hourly(3), 1, {}).map((candle, at) =>
    at === 2 ? { ...candle, address: foreign } : candle,
  );
  const source = draw({ candles, address: `klines-c-BTC_2f_EUR-1h-${midnight + hour}-i` });
  expect([...source.matchAll(/<g class="candle [^"]*" id="([^"]*)"/g)].map(([, id]) => id).sort()).toEqual(
    [`klines-c-BTC_2f_EUR-1h-${midnight}-i`, `klines-c-BTC_2f_EUR-1h-${midnight + hour}-i`, foreign].sort(),
  );
});

test('a gap and its row have the address of the first missing candle', () => {
  const missing = [{ start: midnight + 2 * hour, end: midnight + 3 * hour }];
  const gaps = [...missing, { start: midnight + 8 * hour, end: midnight + 9 * hour }];
  const strip = { start: midnight, end: midnight + 12 * hour, length: hour, gaps };
  const candles = hourly(4).filter((_, at) => at !== 2);
  const source = draw({
    candles,
    picture: { missing, strip },
    address: `klines-c-a-1h-${midnight + 2 * hour}`,
  });
  expect(source).toMatch(new RegExp(`class="lost"[^>]* id="klines-c-a-1h-${midnight + 2 * hour}"`));
  expect(source).toContain(`<tr id="klines-c-a-1h-${midnight + 8 * hour}">`);
});

test('a page leaves an address to the first place that shows the candle', () => {
  const id = candleId({ address: 'klines-c-a-1h-7' });
  expect(keepFirstIds(markup`<g${id}></g><tr${id}></tr><i id="other"></i><i id="other"></i>`).source).toBe(
    '<g id="klines-c-a-1h-7"></g><tr></tr><i id="other"></i><i id="other"></i>',
  );
});

test('a field of a row without names is called by its role', () => {
  expect(placeName({ pointer: '/result/*/4', field: 'close' })).toBe('close (/result/*/4)');
  expect(placeName({ pointer: '/*/close', field: 'close' })).toBe('/*/close');
  expect(placeName({ pointer: '/*/4' })).toBe('/*/4');
});

test('a wrong volume is drawn as a bar among the volumes beside it, not as a candle of sound prices', () => {
  const candles = withOffender(hourly(7), 3, {}).map((candle, at) => ({
    ...candle,
    amount: at === 3 ? 9000 : 100,
  }));
  const source = draw({ candles, field: 'volume' });
  expect(source).toContain('class="candles amounts"');
  expect(source).toContain('the one in question: 2025-11-12 03:00 to 04:00 UTC, volume 9,000');
  expect(source.match(/class="body"/g)).toHaveLength(7);
  expect(source).toContain('class="beyond"');
  expect(source).not.toContain('class="wick"');
});

test('the parts of a sum stand on each other, up to what the whole should be', () => {
  const parts = hourly(24).map((candle) => ({ ...candle, amount: 10 }));
  const day = { ...joinDay(hourly(24)), amount: 480 };
  const bars = readBars(draw({ candles: [day, ...parts], field: 'volume', beside }));
  expect(bars).toHaveLength(25);
  const [whole, ...steps] = bars;
  for (const [at, step] of steps.entries())
    if (at > 0) expect(step.y + step.height).toBeCloseTo(steps[at - 1]?.y ?? 0, 0);
  const reached = (steps[0]?.y ?? 0) + (steps[0]?.height ?? 0) - (steps.at(-1)?.y ?? 0);
  expect(reached / (whole?.height ?? 0)).toBeCloseTo(0.5, 1);
});

test('a level is not added up: its bars all stand on the axis', () => {
  const parts = hourly(24).map((candle) => ({ ...candle, amount: 10 }));
  const bars = readBars(
    draw({ candles: [{ ...joinDay(hourly(24)), amount: 20 }, ...parts], field: 'liquidity', beside }),
  );
  expect(new Set(bars.map(({ y, height }) => Math.round(y + height))).size).toBe(1);
});

test('missing rows after the last candle are drawn as far as they follow it', () => {
  const missing = [7, 8, 9, 30].map((at) => slot(at));
  const source = draw({ candles: hourly(7), picture: { missing } });
  expect(source.match(/class="lost"/g)).toHaveLength(3);
});

test('a jump between two candles says how long it is', () => {
  const candles = [...hourly(4), ...hourly(3, midnight + 88 * hour)];
  const source = draw({ candles, picture: { missing: [slot(91)] } });
  expect(source).toMatch(/class="gap-name"[^>]*>84 h|class="gap-name"[^>]*>4 d/);
});

function slot(at: number) {
  return { start: midnight + at * hour, end: midnight + (at + 1) * hour };
}

function readBars(source: string): { y: number; height: number }[] {
  return [...source.matchAll(/class="body"[^>]* y="([\d.]+)"[^>]* height="([\d.]+)"/g)].map(
    ([, y, height]) => ({
      y: Number(y),
      height: Number(height),
    }),
  );
}
