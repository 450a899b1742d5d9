import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from '@playwright/test';
import { type ResultsFlags, readSource } from './read-results.ts';

const open = 'postgres://homer:wine-dark-sea@db.example:5432/candles';

/** A config that names a file beside it, which holds the URL. */
function configWith(results: string): string {
  const file = test.info().outputPath('candleproof.yaml');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(test.info().outputPath('results-url'), `${open}\n`);
  const whole = readFileSync('packages/candleproof/cli/config/testing/whole.yaml', 'utf8');
  writeFileSync(file, `${whole}\nresults: '${results}'\n`);
  return file;
}

test('flags come before the environment, and that before the config', () => {
  const config = configWith('results-url');
  const env = { CANDLEPROOF_RESULTS_URL: 'postgres://db.example/environment' };
  const placeOf = (flags: ResultsFlags, given = {}): string => {
    const source = readSource({ ...flags, config }, given);
    return source.kind === 'folder' ? source.folder : source.address.place;
  };
  expect(placeOf({})).toBe('db.example:5432/candles');
  expect(placeOf({}, env)).toBe('db.example/environment');
  expect(placeOf({ data: 'here' }, env)).toBe('here');
  expect(placeOf({ data: 'here', results: 'postgres://db.example/flag' }, env)).toBe('db.example/flag');
});

test('a file that the config names and that holds no URL is refused where it is named', () => {
  expect(() => readSource({ config: configWith('candleproof.yaml') }, {})).toThrow(
    /^--config: .*candleproof\.yaml:\d+: results: .*: no URL such as postgres:\/\/user@host:5432\/database; give one$/,
  );
  expect(() => readSource({ config: configWith('nowhere') }, {})).toThrow(
    /^--config: .*candleproof\.yaml:\d+: results: .*nowhere: there is no such file/,
  );
});
