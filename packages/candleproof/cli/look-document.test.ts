import { readFileSync, writeFileSync } from 'node:fs';
import { candleproof } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';

const price = { type: 'number' };
const bar = {
  type: 'object',
  properties: { t: { type: 'integer', description: 'Unix seconds' }, o: price, h: price, l: price, c: price },
};
const names = ['symbol', 'from', 'to'];
const parameters = [
  ...names.map((name) => ({
    name,
    in: 'query',
    required: true,
    schema: { type: name === 'symbol' ? 'string' : 'integer' },
  })),
  { name: 'resolution', in: 'query', required: true, schema: { type: 'string', enum: ['5', '60', 'D'] } },
];

function describe(schema: object, given: readonly object[] = parameters): object {
  const content = { 'application/json': { schema } };
  return { get: { parameters: given, responses: { 200: { description: 'ok', content } } } };
}

const list = (items: object): object => ({ type: 'array', items });

/** A document with two operations of candles, one that cannot be compiled and others whose paths speak of them. */
const vendor = {
  openapi: '3.0.3',
  info: { title: 'Vendor', version: '1' },
  servers: [{ url: 'https://api.invalid' }],
  paths: {
    '/bars': describe(list(bar)),
    '/spot/bars': describe(list(bar)),
    '/stream/candles': describe(list({ $ref: '#/components/schemas/Missing' })),
    '/recursive/bars': describe(
      list({ ...bar, properties: { ...bar.properties, next: { $ref: '#/components/schemas/Node' } } }),
    ),
    '/charts/settings': describe({ type: 'object', properties: { theme: { type: 'string' } } }),
    '/news': describe(
      list({ type: 'object', properties: { open: { type: 'boolean' }, close: { type: 'string' } } }),
      [],
    ),
  },
  components: {
    schemas: { Node: { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } } },
  },
};

test('of many GETs those of candles have roles, one that cannot be compiled is left out, and --operation chooses', async () => {
  const [file, roles] = [test.info().outputPath('vendor.json'), test.info().outputPath('roles.yaml')];
  writeFileSync(file, JSON.stringify(vendor, null, 1));
  const looked = await candleproof(['look', '--spec', file, '--write', roles]);
  expect(looked.code, looked.stdout + looked.stderr).toBe(0);
  expect(looked.stdout.match(/^candles .*$/gm)).toEqual(['candles  GET /bars', 'candles  GET /spot/bars']);
  expect(looked.stdout).toContain(
    'left out GET /stream/candles: #/components/schemas/Missing points at nothing',
  );
  expect(looked.stdout).toMatch(/left out GET \/recursive\/bars: .*leads back to itself/);
  const spec = await candleproof(['spec', file, '--overlay', roles]);
  expect(spec.code, spec.stderr).toBe(0);
  const chosen = await candleproof([
    'look',
    '--spec',
    file,
    '--operation',
    '/spot/bars',
    '--write',
    roles,
    '--force',
  ]);
  expect(chosen.stdout.match(/^candles .*$/gm)).toEqual(['candles  GET /spot/bars']);
  expect(readFileSync(roles, 'utf8')).not.toContain("$.paths['/bars']");
  const absent = await candleproof(['look', '--spec', file, '--operation', '/absent']);
  expect([absent.code, absent.stderr]).toEqual([2, expect.stringContaining('GET /absent of')]);
});
