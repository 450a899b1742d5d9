import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');

/** Lines of files that match, as `file:line: text`. */
function linesWith(pattern: RegExp, some: readonly string[]): string[] {
  return some.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
}

test('no text uses words that have a plainer alternative', () => {
  const texts = files.filter(
    (file) => /\.(ts|js|md|json|yaml|yml)$/.test(file) && file !== 'package-lock.json',
  );
  const plain =
    /\b([Tt]o[l]d|[Aa]sk[e]d|[Ww]hoeve[r]|[Pp]robe[r])\b|\b(to[l]d|ask[e]d)[A-Z]|[a-z](To[l]d|Ask[e]d)\b/;
  const found = linesWith(plain, texts);
  // The id of a rule lasts, as do the names in files that an earlier version wrote.
  expect(
    found.filter((line) => !/candle\/pool-is-as-ask[e]d|replace\((ledger|value), '"to[l]d":'/.test(line)),
  ).toEqual([]);
});

test('the words of one API occur only in its document, its service and tests', () => {
  const ofOneApi =
    /listTokens|listV2PoolCandles|getLatestV1PoolCandle|poolId|(volume|liquidity|price)Usd|imestampSeconds|FIVEMIN|x-ratelimit/;
  const home =
    /^(openapi\.yaml$|(packages\/(reference-service|candleproof\/(kill-matrix|cli\/golden))|tools|tests|docs)\/)|\.(test|breaches)\.ts$|\/(testing|worlds)\//;
  // Files that a team copies for this API, the titles of its faults, and its document as it was packed.
  const data = [
    'deploy/candleproof.yaml',
    'reports/kill-matrix/proofs.json',
    'packages/document/spec/packed.json',
  ];
  const others = files.filter(
    (file) => /\.(ts|js|json|yaml)$/.test(file) && !home.test(file) && !data.includes(file),
  );
  expect(linesWith(ofOneApi, others)).toEqual([]);
});

test('no code knows the name of an API of the gallery', () => {
  const names = readdirSync('gallery').map((name) => (name === 'gate' ? 'gate\\.?io' : name));
  const home = /^(gallery|docs|tools\/doubles)\/|\/testing\/|\.(test|packed)\.ts$/;
  const code = files.filter((file) => /\.(ts|js|json|yaml)$/.test(file) && !home.test(file));
  const found = linesWith(new RegExp(`\\b(${names.join('|')})\\b`, 'i'), code);
  // A shape of CSS.
  expect(found.filter((line) => !line.includes('clip-path: polygon'))).toEqual([]);
});

const typeNames = files
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => {
    const declared = /^export (?:declare )?(?:interface|type|class|enum|abstract class) (\w+)/gm;
    return [...readFileSync(file, 'utf8').matchAll(declared)].map(([, name]) => name);
  });

test('every exported type name is exported once', () => {
  expect(typeNames.length).toBeGreaterThan(500);
  expect(typeNames.filter((name, index) => typeNames.indexOf(name) !== index)).toEqual([]);
});

test('every type of the glossary is exported', () => {
  const rows = readFileSync('docs/glossary.md', 'utf8').matchAll(/^\| [^|]* \| `(\w+)` \|/gm);
  const named = [...rows].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !typeNames.includes(name))).toEqual([]);
});

test('the trips of ARCHITECTURE.md lead through at most twelve files each, which exist', () => {
  const [, trips = ''] =
    /## Three trips[^\n]*\n(.*?)\n## /s.exec(readFileSync('ARCHITECTURE.md', 'utf8')) ?? [];
  const steps = trips
    .split(/^- /m)
    .slice(1)
    .map((trip) => [...trip.matchAll(/`([^`]+)`/g)].map(([, step = '']) => step));
  expect(steps.map(({ length }) => length > 6 && length <= 12)).toEqual([true, true, true]);
  const missing = steps.flat().filter((step) => !files.some((file) => `/${file}`.endsWith(`/${step}.ts`)));
  expect(missing).toEqual([]);
});
