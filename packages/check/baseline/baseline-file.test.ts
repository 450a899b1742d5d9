import type { Baseline } from '@candleproof/law/judge/baseline';
import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { formatUpdatedBaseline, newBaselineText, parseBaseline } from './baseline-file.ts';

const today = '2026-11-26';
const head = 'version: 1\ntarget: mainnet\n# reviewed\n';
const entry = `  - fingerprint: candle/pool-is-as-asked listV2PoolCandles /*/poolId
    reason: They mend it. # said on the phone
    until: 2026-12-31
`;

const refusals: [what: string, text: string, names: RegExp][] = [
  ['text that is no YAML', `${head}known: [`, /b\.yaml:\d: /],
  ['an empty file', '', /b\.yaml:1: the file does not hold version and target: write them/],
  ['a list', '- a', /b\.yaml:1: the file/],
  ['a missing target', 'version: 1\nknown: []\n', /:1: "target" is missing: add the target's name/],
  ['another version', head.replace('1', '2'), /:1: "version" .*the version of this format, 1/],
  ['a misspelt key', `${head}know: []\n`, /:4: "know" is unknown here: use version, target, .*known/],
  ['a key given twice', `${head}target: testnet\n`, /:4: "target" stands here twice/],
  ['no list of failings', `${head}known:\n`, /:4: "known" .*\[\] for none/],
  [
    'a missing reason',
    `${head}known:\n${entry.replace(/ {4}reason.*\n/, '')}`,
    /:5: "reason" is missing: add a sentence/,
  ],
  ...['""', '" "', '|\n      \n'].map((reason): [string, string, RegExp] => [
    `the reason ${JSON.stringify(reason)}`,
    `${head}known:\n${entry.replace(/reason: .*/, `reason: ${reason}`)}`,
    /^--baseline: b\.yaml:6: "reason" does not hold what belongs here: a sentence that says why/,
  ]),
  [
    'a stray key of an entry',
    `${head}known:\n${entry}    since: 2026\n`,
    /:8: "since" is unknown here: use fingerprint, met, reason, until/,
  ],
  [
    'a day that there is not',
    `${head}known:\n${entry.replace('12-31', '02-30')}`,
    /:7: "until" .*YYYY-MM-DD/,
  ],
  ...['9999-12-31', '2027-11-27'].map((until): [string, string, RegExp] => [
    `the end date ${until}`,
    `${head}known:\n${entry.replace('2026-12-31', until)}`,
    /^--baseline: b\.yaml:7: "until" is more than a year away: give a day up to 2027-11-26, and look/,
  ]),
  [
    'half a fingerprint',
    `${head}known:\n${entry.replace(/ listV2.*/, '')}`,
    /:5: "fingerprint" .*rule, operation and pointer/,
  ],
  ['one failing twice', `${head}known:\n${entry}${entry}`, /:8: "candle.*" stands on line 5 already/],
  [
    'an answer that is a number',
    `${head}observations:\n  inversion/constant: 1\n`,
    /:5: "inversion\/constant" .*in quotes/,
  ],
  ['many aliases', `${head}known: &a [*a]\n`, /b\.yaml:\d: /],
];

for (const [what, text, names] of refusals) {
  test(`${what} is refused in one line that tells where`, () => {
    const read = () => parseBaseline(text, 'b.yaml', today);
    expect(read).toThrow(names);
    expect(read).toThrow(/^[^\n]*$/);
  });
}

test('a file that holds no more than it must is an empty baseline', () => {
  expect(parseBaseline(head, 'b.yaml', today).baseline).toEqual({
    target: 'mainnet',
    known: [],
    observations: {},
  });
});

test('JSON is read as well', () => {
  const content = { target: 't', known: [], observations: { 'a/b': 'c' } };
  expect(parseBaseline(JSON.stringify({ version: 1, ...content }), 'b.json', today).baseline).toEqual(
    content,
  );
});

const texts = fc.string({ unit: 'binary', maxLength: 60 }).map((text) => text.toWellFormed());
const baselines: fc.Arbitrary<Baseline> = fc.record({
  target: fc.string({ minLength: 1, maxLength: 20 }),
  known: fc.uniqueArray(
    fc.record(
      {
        fingerprint: texts.map((text) => `a/b listTokens /${text}|`),
        met: fc.array(
          texts.map((text) => `${text}|`),
          { maxLength: 3 },
        ),
        reason: texts.map((text) => `${text}.`),
        until: fc.constantFrom('2026-01-01', '2024-02-29'),
      },
      { requiredKeys: ['fingerprint', 'reason', 'until'] },
    ),
    { maxLength: 4, selector: (acceptance) => acceptance.fingerprint },
  ),
  observations: fc.dictionary(fc.constantFrom('a/b', 'c/d', '__proto__', '1', 'yes'), texts, {
    noNullPrototype: true,
  }),
});

test('what is written is read again as it was, whatever a target says', () => {
  fc.assert(
    fc.property(baselines, baselines, (one, other) => {
      const first = parseBaseline(newBaselineText(one, 's.json'), 'b.yaml', today);
      expect(first.baseline).toEqual(one);
      const wanted = { ...other, target: one.target };
      const known = wanted.known.filter(
        ({ fingerprint }) => !one.known.some((knownFailing) => knownFailing.fingerprint === fingerprint),
      );
      const pins = { ...one.observations, ...other.observations };
      const text = formatUpdatedBaseline(first.document, { ...wanted, known, observations: pins });
      expect(parseBaseline(text, 'b.yaml', today).baseline).toEqual({ ...wanted, known, observations: pins });
    }),
  );
});

test('the places of a known failing stand in one line, and are brought up to date with it', () => {
  const places = entry.replace('    reason', '    met: [ HOUR plain ] # so far\n    reason');
  const { document, baseline } = parseBaseline(`${head}known:\n${places}`, 'b.yaml', today);
  const known = baseline.known.map((failing) => ({ ...failing, met: ['DAY plain', 'HOUR plain'] }));
  const updated = formatUpdatedBaseline(document, { ...baseline, known });
  expect(updated).toContain(
    '\n    met: [ DAY plain, HOUR plain ]\n    reason: They mend it. # said on the phone\n',
  );
  expect(formatUpdatedBaseline(document, baseline)).toContain('    met: [ HOUR plain ] # so far\n');
});

test('comments and wording of people outlive an update', () => {
  const text = `# yaml-language-server: $schema=s.json\n\n${head}known:\n${entry}# pins\nobservations: {}\n`;
  const { document, baseline } = parseBaseline(text, 'b.yaml', today);
  const known = [{ fingerprint: 'a/b listTokens', reason: '', until: '2027-01-01' }, ...baseline.known];
  const updated = formatUpdatedBaseline(document, { ...baseline, known, observations: { 'a/b': '1' } });
  expect(updated.split('\n')).toEqual([
    '# yaml-language-server: $schema=s.json',
    '',
    ...head.trim().split('\n'),
    'known:',
    '  - fingerprint: a/b listTokens',
    '    reason: ""',
    '    until: 2027-01-01',
    ...entry.trimEnd().split('\n'),
    '# pins',
    'observations:',
    '  a/b: "1"',
    '',
  ]);
});
