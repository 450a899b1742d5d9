import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureCommand } from '@candleproof/command/hostile-check';
import { expect, test } from '@playwright/test';

const hour = 3600;
const end = Date.UTC(2026, 2, 1) / 1000;

/** Returns an entry as a browser records it: a history of hours whose answer has the given text. */
function entry(at: number, text: string, more: object = {}): object {
  const [from, to] = [end - (at + 1) * 500 * hour, end - at * 500 * hour];
  const url = `https://api.example/v2/pools/conversionRates/1?interval=HOUR&from=${from}&to=${to}`;
  return {
    startedDateTime: new Date(end * 1000 + at * 1000).toISOString(),
    time: 50,
    request: { method: 'GET', url, headers: [] },
    response: {
      status: 200,
      headers: [{ name: 'content-type', value: 'application/json' }],
      content: { text },
    },
    ...more,
  };
}

const empty = `[${Array(200_000).fill('{}').join()}]`;

function hours(at: number): string {
  const candle = {
    poolId: 1,
    open: 101.25,
    high: 103.5,
    low: 99.75,
    close: 102.125,
    avg: 101.5,
    volume: '12345',
  };
  const start = end - (at + 1) * 500 * hour;
  return JSON.stringify(
    Array.from({ length: 9000 }, (_, row) => ({ ...candle, startTimestampSeconds: start + row * hour })),
  );
}

type HostileRecording = { readonly name: string; readonly exit: number; entries(): readonly object[] };

const recordings: readonly HostileRecording[] = [
  {
    name: 'thirty-four megabytes of empty objects',
    exit: 1,
    entries: () => Array.from({ length: 56 }, (_, at) => entry(at, empty)),
  },
  {
    name: 'thirty-four megabytes of candles',
    exit: 1,
    entries: () => Array.from({ length: 24 }, (_, at) => entry(at, hours(at))),
  },
  {
    name: '170 megabytes of candles',
    exit: 1,
    entries: () => Array.from({ length: 126 }, (_, at) => entry(at, hours(at))),
  },
  {
    name: '170 megabytes of long texts',
    exit: 1,
    entries: () => Array.from({ length: 34 }, (_, at) => entry(at, '\n"é€'.repeat(500_000))),
  },
  {
    name: 'sixty thousand small answers',
    exit: 1,
    entries: () => {
      const text = JSON.stringify(JSON.parse(hours(0)).slice(0, 2));
      return Array.from({ length: 60_000 }, (_, at) => entry(at, text));
    },
  },
  {
    name: 'five million empty objects beside its bodies',
    exit: 2,
    entries: () => [entry(0, '[]', { comments: Array(5_000_000).fill({}) })],
  },
];

for (const { name, exit, entries } of recordings) {
  test(`a recording with ${name} is judged or refused in bounded time and memory`, {
    // The larger recording of candles shows what the smaller one does.
    tag: name === 'thirty-four megabytes of candles' ? '@thorough' : '@endurance',
  }, async () => {
    test.setTimeout(180_000);
    const folder = test.info().outputPath('recorded');
    const file = join(folder, 'browser.har');
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, JSON.stringify({ log: { version: '1.2', entries: entries() } }));
    const out = join(folder, 'out');
    const { code, stderr, seconds, mib } = await measureCommand(['judge', file, '--out', out], folder);
    expect([code, stderr.trim().split('\n').length]).toEqual([exit, 1]);
    expect(mib).toBeLessThan(512);
    expect(seconds).toBeLessThan(30);
    if (exit === 2) expect(stderr).toMatch(/browser\.har: log\.entries\[0\] holds more than 1000000 values/);
  });
}
