import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { candleproof } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { openStranger } from '../testing/stranger.ts';
import { isPrivateHost } from './document-server.ts';

/** Lists every command that sends by a document, with the flag or argument by which it takes an address. */
function listCommands(document: string, caFile: string): [args: string[], addressFlag: string][] {
  const folder = test.info().outputPath();
  const access = ['--pools', 'ETHUSDT', '--ca-file', caFile];
  const spec = ['--spec', document, ...access];
  const out = ['--out', join(folder, 'out')];
  return [
    [['check', ...spec, ...out], '--base-url'],
    [['check', ...spec, ...out, '--wait', '1'], '--base-url'],
    [['explore', ...spec, ...out, '--budget', '3'], '--base-url'],
    [['audit', ...spec, ...out, '--budget', '3'], '--base-url'],
    [['load', 'smoke', ...spec, ...out], '--base-url'],
    [['monitor', ...spec, '--once', '--data', join(folder, 'data')], '--base-url'],
    [['init', ...spec, '--config', join(folder, 'new.yaml')], 'init'],
    [['spec', document, ...access, '--try'], '--try'],
  ];
}

for (const [name, isPosted, server, refused] of [
  ['loopback', false, undefined, 'nothing to this machine or a private network'],
  ['a private network', false, 'https://10.1.2.3', 'nothing to this machine or a private network'],
  ['loopback', true, undefined, 'nothing to this machine or a private network'],
  ['a public host', true, 'https://api.binance.com', 'no POST /api/v3/klines anywhere'],
] as const)
  test(`no command sends a ${isPosted ? 'POST' : 'GET'} to ${name} by a document's word alone`, async () => {
    const folder = test.info().outputPath();
    mkdirSync(folder, { recursive: true });
    const stranger = await openStranger(folder);
    const url = server ?? stranger.url;
    const document = writeStrangeDocument(join(folder, 'strange.json'), url, isPosted);
    for (const [args, addressFlag] of listCommands(document, stranger.caFile)) {
      const { code, stderr } = await candleproof(args);
      const why = `its server is ${url}, and a document's word sends ${refused}: give ${addressFlag} ${url}`;
      expect({ args, code, stderr }).toEqual({ args, code: 2, stderr: `candleproof: --spec: ${why}\n` });
    }
    expect(stranger.heard()).toBe('');
    stranger.close();
  });

test('a check by POST is named before it sends, as plan names it, and goes where the caller says', async () => {
  const folder = test.info().outputPath();
  mkdirSync(folder, { recursive: true });
  const stranger = await openStranger(folder);
  const document = writeStrangeDocument(join(folder, 'strange.json'), 'https://10.1.2.3', true);
  const named = ['--spec', document, '--pools', 'ETHUSDT', '--base-url', stranger.url];
  const words =
    'sends POST: POST /api/v3/klines has a JSON body, and the document declares that it only reads';
  const planned = await candleproof(['plan', ...named]);
  expect(planned.stdout).toContain(`A check of 127.0.0.1 ${words}.\n`);
  const checked = await candleproof(['check', ...named, '--ca-file', stranger.caFile, '--out', folder]);
  expect(checked.stdout.split('\n')[0]).toBe(`A check of 127.0.0.1 ${words}.`);
  expect(stranger.heard()).toContain('POST /api/v3/klines');
  stranger.close();
});

/** Writes a document of candles that needs no key, with this server; its requests are POSTs if `isPosted`. */
function writeStrangeDocument(file: string, server: string, isPosted = false): string {
  const document = parse(readFileSync('gallery/binance/openapi.yaml', 'utf8'));
  const path = '/api/v3/klines';
  const { get } = document.paths[path];
  if (isPosted) document.paths = { [path]: { post: moveIntoBody(get) } };
  writeFileSync(file, JSON.stringify({ ...document, servers: [{ url: server }] }));
  return file;
}

type Parameter = {
  readonly name: string;
  readonly required?: boolean;
  readonly schema: object;
  readonly 'x-role'?: string;
  readonly 'x-unit'?: string;
};

function moveIntoBody({ parameters, ...operation }: { readonly parameters: readonly Parameter[] }): object {
  const members = parameters.map(({ name, schema, 'x-role': role, 'x-unit': unit }) => [
    name,
    { ...schema, ...(role && { 'x-role': role }), ...(unit && { 'x-unit': unit }) },
  ]);
  const schema = {
    type: 'object',
    required: ['kind', ...parameters.flatMap(({ name, required }) => (required ? [name] : []))],
    properties: { kind: { const: 'DROP TABLE' }, ...Object.fromEntries(members) },
  };
  return { ...operation, requestBody: { content: { 'application/json': { schema } } } };
}

const privateHosts =
  '127.0.0.1 127.9.9.9 2130706433 0x7f.1 0 0.0.0.0 10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 [::1] [::] [::ffff:127.0.0.1] [::ffff:10.0.0.1] [::ffff:a9fe:a9fe] [fc00::1] [fdff::1] [fe80::1] [febf::1] localhost LOCALHOST localhost. api.localhost a.b.localhost.';
const publicHosts =
  '8.8.8.8 9.255.255.255 11.0.0.1 172.15.255.255 172.32.0.1 192.167.1.1 192.169.0.1 169.253.0.1 126.0.0.1 128.0.0.1 [2001:db8::1] [::2] [::ffff:8.8.8.8] [fec0::1] [fbff::1] api.binance.com localhost.example.com notlocalhost 10.0.0.1.example.com';

for (const [hosts, isPrivate] of [
  [privateHosts, true],
  [publicHosts, false],
] as const)
  for (const host of hosts.split(' '))
    test(`https://${host} is ${isPrivate ? 'private' : 'public'}`, () => {
      expect(isPrivateHost(`https://${host}:8443/v1`)).toBe(isPrivate);
    });
