import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import {
  candleRoles,
  edgeKinds,
  gapKinds,
  operationRoles,
  parameterRoles,
  quotaRoles,
  timeUnits,
  tokenRoles,
} from './roles.ts';

const text = readFileSync('packages/document/document.schema.json', 'utf8');
const { $defs } = JSON.parse(text);
const accepts = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(JSON.parse(text));

test('the schema of documents offers the values that the compiler takes', () => {
  const { operation, parameter, header, unit, candleField, tokenField } = $defs;
  expect({
    operation: operation.properties['x-role'].enum,
    gaps: operation.properties['x-gaps'].enum,
    parameter: parameter.properties['x-role'].enum,
    edge: parameter.properties['x-edge'].enum,
    header: header.properties['x-role'].enum,
    ...{ unit: unit.enum, candle: candleField.enum, token: tokenField.enum },
  }).toEqual({
    operation: operationRoles,
    gaps: gapKinds,
    parameter: parameterRoles,
    edge: edgeKinds,
    header: quotaRoles.map((role) => `quota-${role}`),
    ...{ unit: timeUnits, candle: candleRoles, token: tokenRoles },
  });
});

test('the schema of documents has every extension that the compiler reads', () => {
  const sources = globSync('packages/document/spec/*.ts', { exclude: ['**/*.test.ts'] });
  const read = sources.flatMap((file) => readFileSync(file, 'utf8').match(/(?<=')x-[a-z-]+(?=')/g) ?? []);
  expect(read.length).toBeGreaterThan(20);
  // Our document alone has sections.
  expect(read.filter((name) => name !== 'x-sections' && !text.includes(`"${name}"`))).toEqual([]);
});

test('our document and those of the gallery fit the schema of documents', () => {
  for (const file of ['openapi.yaml', ...globSync('gallery/*/openapi.yaml')]) {
    accepts(parse(readFileSync(file, 'utf8')));
    expect(accepts.errors ?? [], file).toEqual([]);
  }
});

test('a value that the compiler refuses does not fit the schema of documents', () => {
  const ours = readFileSync('openapi.yaml', 'utf8');
  for (const [from, to, place] of [
    ['x-role: history', 'x-role: candles', '/paths/~1v2~1pools~1conversionRates~1{poolId}/get/x-role'],
    ['x-role: from', 'x-role: form', '/paths/~1v2~1pools~1conversionRates~1{poolId}/get/parameters/1/x-role'],
    ['x-role: quota-reset', 'x-role: reset', '/components/headers/QuotaReset/x-role'],
    ['x-unit: ms', 'x-unit: weeks', '/components/headers/QuotaReset/x-unit'],
    ['x-role: high', 'x-role: hihg', '/components/schemas/Candle/properties/high/x-role'],
    ['HOUR: 3600', 'HOUR: 0', '/components/schemas/Interval/x-seconds/HOUR'],
    ["x-since: '2018-03-01'", 'x-since: March', '/paths/~1v2~1pools~1conversionRates~1{poolId}/get/x-since'],
  ] as const) {
    expect(ours).toContain(from);
    expect(accepts(parse(ours.replace(from, to))), to).toBe(false);
    expect(accepts.errors?.map(({ instancePath }) => instancePath)).toContain(place);
  }
});
