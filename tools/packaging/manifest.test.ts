import { expect, test } from '@playwright/test';
import { publishedManifest } from './manifest.ts';

test('the published package needs what its bundled packages need, and nothing for development', () => {
  const { dependencies, peerDependencies, peerDependenciesMeta, ...rest } = publishedManifest();
  expect(Object.keys(dependencies)).toEqual([
    ...['@peculiar/x509', 'ajv', 'commander', 'fast-check', 'fflate', 'https-proxy-agent', 'jsonpath-js'],
    ...['node-cron', 'openapi-types', 'pino', 're2js', 'reflect-metadata', 'undici', 'yaml'],
  ]);
  expect(Object.keys(peerDependencies)).toEqual([
    ...['@playwright/test', '@redocly/openapi-core', '@scalar/openapi-upgrader'],
    ...['@seriousme/openapi-schema-validator', 'hyparquet', 'pg'],
  ]);
  expect(Object.keys(peerDependenciesMeta)).toEqual(Object.keys(peerDependencies));
  expect(Object.keys(rest)).not.toContain('devDependencies');
  expect(rest).not.toHaveProperty('private');
});
