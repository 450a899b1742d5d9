import { expect, test } from '@playwright/test';
import { drawCandles } from '../candles/text.ts';
import { hourly, joinDay, withOffender } from '../testing/candles.ts';
import { inconclusiveRun, inTwoPlaces, sampleRun } from '../testing/sample-run.ts';
import { renderTerminal } from './terminal.ts';

const plain = { color: false, width: 80 };
const paintCodes = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');

test('the first line gives verdict, target and address', () => {
  expect(renderTerminal(inconclusiveRun, plain)).toMatch(
    /^\? Inconclusive {2}local {2}https:\/\/127\.0\.0\.1:8443\n/,
  );
});

test('no control character of a target reaches the terminal', () => {
  const colored = renderTerminal(sampleRun, { color: true, width: 80, most: 99 });
  expect(colored.replace(paintCodes, '')).not.toMatch(/[^\P{Cc}\n]/u);
  expect(colored.replace(paintCodes, '')).toBe(renderTerminal(sampleRun, { ...plain, most: 99 }));
});

test('no line is wider than the terminal', () => {
  for (const width of [60, 72, 80, 120]) {
    const lines = renderTerminal(sampleRun, { color: false, width, most: 99 }).split('\n');
    expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(width);
  }
});

test('nothing is cut, however narrow the terminal, and a pipe has no lines folded', () => {
  const long = { name: 'main', baseUrl: `https://${'a-long-label.'.repeat(9)}example/api` };
  const run = { ...sampleRun, target: { ...sampleRun.target, ...long } };
  const letters = (width: number): string =>
    renderTerminal(run, { color: false, width, most: 99 }).replace(/\s/g, '');
  expect(letters(60)).toBe(letters(Infinity));
  const [finding] = sampleRun.findings;
  const piped = renderTerminal(run, { color: false, width: Infinity, most: 99 });
  expect(piped).toContain(`${long.name}  ${long.baseUrl}\n`);
  expect(piped).toContain(`  expected  ${finding?.expected}\n`);
});

test('causes beyond the wanted number are counted', () => {
  const text = renderTerminal(sampleRun, { ...plain, most: 2 });
  expect(text.match(/expected {2}/g)).toHaveLength(2);
  expect(text).toContain('and 7 more causes in the report');
});

test('requests are reported as a share of the month', () => {
  expect(renderTerminal(sampleRun, plain)).toContain('21 requests, 0.21 % of a month of 10,000');
});

test('candles are drawn with the one in question beneath its mark', () => {
  const lines = drawCandles(withOffender(hourly(7), 3, { avg: 118.56 }), { color: false, height: 9 }).split(
    '\n',
  );
  expect(lines[0]).toBe('avg 118.56 ↑ off the scale');
  expect(lines).toHaveLength(12);
  expect(lines[10]?.indexOf('▲')).toBe(lines[1]?.indexOf('↑'));
});

test('a day and its hours fit into eighty columns', () => {
  const hours = hourly(24);
  const rows = drawCandles([joinDay(hours), ...hours], { color: false, width: 80 })
    .split('\n')
    .slice(0, -1);
  expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(80);
});

test('no candles draw nothing', () => {
  expect(drawCandles([], { color: true })).toBe('');
});

test('a rule that was not judged is named with its reason, several of one reason are counted', () => {
  const lines = renderTerminal(sampleRun, plain).split('\n');
  const at = lines.findIndex((line) => line.includes('2 musts not judged: no closed week was requested'));
  expect(lines[at + 1]?.trim()).toMatch(/days$/);
  expect(lines.join(' ')).toContain('rollup/average-is-the-mean not judged: averages differ from the mean');
  const shoulds = lines.findIndex((line) => line.startsWith('shoulds '));
  expect(at).toBeLessThan(shoulds);
});

test('a finding is reported with how much of what was judged it concerns', () => {
  const [first, ...others] = sampleRun.findings.map((finding) => ({ ...finding }));
  const extent = { broken: 168, judged: 2016, unit: 'candle' } as const;
  const run = { ...sampleRun, findings: [{ ...first, extent }, ...others] } as typeof sampleRun;
  expect(renderTerminal(run, plain)).toContain('/*/avg, in 168 of 2,016 candles');
});

test('the first line says what is wrong, and places of one cause are reported together', () => {
  const text = renderTerminal(inTwoPlaces, plain);
  expect(text).toMatch(/^✗ Nonconformant: Averages lie outside low and high\s/);
  expect(text.match(/expected {2}/g)).toHaveLength(1);
  expect(text).toContain('  also finding 2\n');
});
