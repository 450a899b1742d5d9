import { readFileSync, writeFileSync } from 'node:fs';
import { candleproof } from '@candleproof/command/command';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import { expect, test } from '@playwright/test';
import { parse, stringify } from 'yaml';
import { compareRoles } from './compare-roles.ts';
import { lookedVenues } from './looked-venues.ts';

/** Removes all extensions of a document. */
function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !name.startsWith('x-'));
  return Object.fromEntries(kept.map(([name, inner]) => [name, strip(inner)]));
}

for (const [name, { data }] of Object.entries(lookedVenues)) {
  // A body is drafted from an answer alone.
  if (data !== undefined) continue;
  test(`the overlay of ${name}'s document without roles has those that the results say`, async () => {
    const entry = `gallery/${name}/openapi.yaml`;
    const [document, overlay] = [test.info().outputPath('vendor.yaml'), test.info().outputPath('roles.yaml')];
    writeFileSync(document, stringify(strip(parse(readFileSync(entry, 'utf8')))));
    const { code, stdout, stderr } = await candleproof(['look', '--spec', document, '--write', overlay]);
    expect([code, stderr], stdout).toEqual([0, '']);
    const { found, missed } = compareRoles(loadSpec(entry), loadSpec(document, [overlay]));
    const row = `| ${name} | ${found} of ${found + missed.length} | ${missed.join('; ')} |`;
    const page = readFileSync('tools/bench/RESULTS.md', 'utf8');
    expect(page.match(new RegExp(`^\\| ${name} \\| \\d+ of \\d+ \\|.*`, 'm'))?.[0]).toBe(
      row.replace('|  |', '| |'),
    );
  });
}

test('an answer decides the rows that a document does not describe, and spec lists the guesses', async () => {
  const [document, overlay, saved] = ['vendor.yaml', 'roles.yaml', 'answer.json'].map((name) =>
    test.info().outputPath(name),
  ) as [string, string, string];
  const get = {
    parameters: [
      { $ref: '#/components/parameters/symbol' },
      { name: 'interval', in: 'query', required: true, schema: { type: 'string', enum: ['1m', '1h'] } },
      { $ref: '#/components/parameters/startTime' },
      { $ref: '#/components/parameters/endTime' },
    ],
    responses: {
      200: {
        description: 'rows',
        content: { 'application/json': { schema: { type: 'array', items: { type: 'array' } } } },
      },
    },
  };
  const time = (name: string) => ({ name, in: 'query', schema: { type: 'integer' } });
  const parameters = {
    symbol: { name: 'symbol', in: 'query', required: true, schema: { type: 'string' } },
    startTime: time('startTime'),
    endTime: time('endTime'),
  };
  const info = { title: 'Vendor', version: '1' };
  writeFileSync(
    document,
    stringify({ openapi: '3.0.2', info, paths: { '/klines': { get } }, components: { parameters } }),
  );
  const undecided = await candleproof(['look', '--spec', document, '--write', overlay]);
  expect([undecided.code, undecided.stdout.includes('the schema does not name its values')]).toEqual([
    3,
    true,
  ]);
  const rows = Array.from({ length: 40 }, (_, at) => {
    const [open, close] = [100 + Math.sin(at), 100 + Math.sin(at + 1)];
    return [
      1_773_241_200_000 + 3_600_000 * at,
      open,
      Math.max(open, close) + 1,
      Math.min(open, close) - 1,
      close,
      at,
    ];
  });
  writeFileSync(saved, JSON.stringify(rows));
  const decided = test.info().outputPath('decided.yaml');
  const url =
    'https://vendor.invalid/klines?symbol=ABCDEF&interval=1h&startTime=1773241200000&endTime=1773381600000';
  const looked = await candleproof(['look', saved, '--url', url, '--spec', document, '--write', decided]);
  expect(looked.code, looked.stdout + looked.stderr).toBe(0);
  const spec = await candleproof(['spec', document, '--overlay', decided]);
  expect(spec.code, spec.stderr).toBe(0);
  expect(spec.stdout).toMatch(/startTime +from +ms/);
  expect(spec.stdout).toMatch(
    /guessed +startTime: x-role from by its name; x-unit ms as the example 1773241200000/,
  );
  expect(loadSpec(document, [decided]).operations[0]?.fields).toMatchObject({
    start: '0',
    open: '1',
    volume: '5',
  });
});

test('a document that is taken for an answer, one with roles and one without candles are refused in a line', async () => {
  const file = 'gallery/binance/openapi.yaml';
  const answered = await candleproof(['look', file]);
  expect([answered.code, answered.stderr]).toEqual([
    2,
    expect.stringContaining(`--spec ${file} drafts an overlay`),
  ]);
  const annotated = await candleproof(['look', '--spec', file]);
  expect([annotated.code, annotated.stderr]).toEqual([
    2,
    expect.stringContaining('without x-role looks like candles'),
  ]);
  const nothing = await candleproof(['look']);
  expect([nothing.code, nothing.stderr.trim().split('\n').length]).toEqual([2, 1]);
});

/** An operation with an example of each parameter. */
type Shown = {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Member } } };
};
type Member = {
  readonly properties?: Readonly<Record<string, Member>>;
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
};

function showBody({ properties, const: fixed, examples }: Member): unknown {
  if (!properties) return fixed ?? examples?.[0];
  return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, showBody(member)]));
}

/** Returns the address and the body of the request that a document shows. */
function showRequest(file: string): { readonly url: string; readonly data?: string } {
  const { servers, paths } = parse(readFileSync(file, 'utf8'));
  const [[path = '', { get, post }] = ['', {}]] = Object.entries(
    paths as Record<string, Record<string, Shown>>,
  );
  const { parameters = [], requestBody } = get ?? post ?? {};
  const url = new URL(`${servers[0].url}${path}`.replace('{settle}', 'usdt'));
  for (const { name, in: where, example } of parameters.filter((each) => each.example !== undefined))
    if (where === 'query') url.searchParams.set(name, String(example));
    else url.pathname = url.pathname.replace(encodeURI(`{${name}}`), String(example));
  const schema = requestBody?.content['application/json'].schema;
  return { url: url.href, ...(schema && { data: JSON.stringify(showBody(schema)) }) };
}

/** Roles that only the vendor's page shows. */
const ofPageAlone: Readonly<Record<string, readonly string[]>> = { bitget: ['quote-volume in /data/7'] };

for (const name of ['bitget', 'gate-futures', 'hyperliquid', 'mexc', 'upbit'])
  test(`the draft of ${name}'s example answer has the roles of its entry`, async () => {
    const [entry, draft] = [`gallery/${name}/openapi.yaml`, test.info().outputPath('draft.yaml')];
    const { url, data } = showRequest(entry);
    const posted = data === undefined ? [] : ['--data', data];
    const answer = ['look', `gallery/${name}/example.json`, '--url', url, ...posted];
    const { code, stdout, stderr } = await candleproof([...answer, '--write', draft]);
    expect([code, stderr], stdout).toEqual([0, '']);
    expect(compareRoles(loadSpec(entry), loadSpec(draft)).missed).toEqual(ofPageAlone[name] ?? []);
  });
