import { expect, test } from '@playwright/test';
import { judgeIt } from '../worlds/breach-case.ts';
import { damageExchange, type Fields, value } from '../worlds/damage.ts';
import { type NamedRecording, record } from '../worlds/recorded.ts';
import { usualWorld } from '../worlds/world.ts';

const healthy = record({ ...usualWorld, poolsV2: [1, 2, 3, 4] });

/** Changes every row of the answers whose requests have such names. */
function change(names: RegExp, fields: (row: Fields) => Fields): NamedRecording {
  const changeRow = (row: Fields): Fields => ({ ...row, ...fields(row) });
  const changeRows = (body: unknown): unknown =>
    Array.isArray(body) ? body.map(changeRow) : changeRow(body as Fields);
  const changed = healthy.names.filter((name, at) => {
    const text = healthy.recording.exchanges[at]?.response?.body?.text ?? '';
    return names.test(name) && /^[[{]/.test(text) && text.includes('startTimestampSeconds');
  });
  return changed.reduce((all, name) => damageExchange(all, name, value(changeRows)), healthy);
}

const mean = ({ open, high, low, close }: Fields): number =>
  [open, high, low, close].reduce((sum: number, price) => sum + Number(price), 0) / 4;

const cases: readonly {
  readonly what: string;
  readonly names: RegExp;
  readonly fields: (row: Fields) => Fields;
  readonly sentence: string;
}[] = [
  {
    what: 'a field that is missing',
    names: /./,
    fields: () => ({ liquidityUsd: undefined }),
    sentence: 'liquidityUsd is missing from candles',
  },
  {
    what: 'a type',
    names: /./,
    fields: ({ volume }) => ({ volume: Number(volume) }),
    sentence: 'Volume of candles is a number instead of text',
  },
  {
    what: 'a text where nothing was traded',
    names: /./,
    fields: ({ volume, volumeUsd }) => ({ volumeUsd: volume === '0' ? 'NaN' : volumeUsd }),
    sentence: 'volumeUsd of candles is "NaN" instead of decimal text, where volume is 0',
  },
  {
    what: 'exchanged extremes',
    names: /./,
    fields: ({ high, low }) => ({ high: low, low: high }),
    sentence: 'High and low are exchanged',
  },
  {
    what: 'an average by a formula',
    names: /./,
    fields: (row) => ({ avg: mean(row) }),
    sentence: 'Avg of candles is the mean of open, high, low and close',
  },
  {
    what: 'starts of an interval that are late',
    names: /HOUR/,
    fields: ({ startTimestampSeconds, timestampSeconds }) => ({
      startTimestampSeconds: Number(startTimestampSeconds) + 3600,
      timestampSeconds: Number(timestampSeconds) + 3600,
    }),
    sentence: 'HOUR candles are stamped 1 hour too late',
  },
  {
    what: 'times in another unit',
    names: /./,
    fields: ({ startTimestampSeconds, timestampSeconds }) => ({
      startTimestampSeconds: 1000 * Number(startTimestampSeconds),
      timestampSeconds: 1000 * Number(timestampSeconds),
    }),
    sentence: 'Times of candles are in another unit',
  },
];

for (const { what, names, fields, sentence } of cases)
  test(`${what} is what the first sentence says`, () => {
    const { explanations = [], findings } = judgeIt(change(names, fields));
    expect(explanations.map((one) => one.sentence)[0]).toBe(sentence);
    const named = new Set(findings.map(({ fingerprint }) => fingerprint));
    expect(explanations[0]?.findings.every((fingerprint) => named.has(fingerprint))).toBe(true);
  });
