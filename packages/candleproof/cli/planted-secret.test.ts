import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { candleproof } from '@candleproof/command/command';
import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { parse } from 'yaml';

const secret = 'S3cr3tPlantedBesideTheDocument';
const key = 'K3y0fTh3Env1r0nm3ntOfTheCaller00';

const names = [
  ...['key', 'key.txt', '.npmrc', '.kube/config', '.kube/config.yaml', 'config.yaml', 'package.json'],
  ...['in/side/secret.yml', '.env.yaml', 'secret.json', '../outside.yaml', 'link.yaml'],
];

const user = { name: secret, user: { token: secret } };
const contents = [
  ...[
    secret,
    `//registry/:_authToken=${secret}`,
    `a: [\n${secret}: *${secret}`,
    `${secret}: 1\n${secret}: 2`,
  ],
  ...[
    { users: [user], name: secret, in: 'query' },
    { value: secret },
    { default: secret },
    { enum: [secret] },
    { const: secret },
    { url: secret },
    { description: secret, [secret]: {} },
    { name: secret, in: secret, schema: { type: 'string', token: secret } },
    { type: secret, default: secret },
    { get: { summary: secret, token: secret } },
    { properties: { [secret]: secret } },
  ].map((content) => JSON.stringify(content)),
];

const pointers = [
  ...['', '#', '#/users/0/user/token', '#/users/0/user', '#/users/0', '#/users', '#/name', '#/value'],
  ...[
    '#/default',
    '#/enum',
    '#/enum/0',
    '#/const',
    '#/url',
    '#/description',
    '#/get',
    '#/get/summary',
    '#/schema',
  ],
];

type Members = Record<string, unknown>;
type Place = { readonly around: Members; readonly name: string; readonly path: string };

/** Lists every place of a document, with its JSONPath. */
function listPlaces(node: unknown, path: string, found: Place[] = []): Place[] {
  if (typeof node !== 'object' || node === null) return found;
  for (const [name, value] of Object.entries(node)) {
    const at = `${path}[${Array.isArray(node) ? name : `'${name}'`}]`;
    found.push({ around: node as Members, name, path: at });
    listPlaces(value, at, found);
  }
  return found;
}

const drawn = fc.record({
  name: fc.constantFrom(...names),
  content: fc.constantFrom(...contents),
  pointer: fc.constantFrom(...pointers),
  // Parts whose text is sent, and any.
  among: fc.constantFrom(/parameters'\]\[\d+\]\['(name|schema)/, /parameters|servers|x-|security/, /./),
  at: fc.nat(10_000),
  // Elsewhere: the document takes nothing from the file.
  how: fc.constantFrom('replaced', 'beside', 'update', 'copy', 'merge', 'elsewhere'),
  keyed: fc.constantFrom('keyless', 'key', '--keyless'),
  command: fc.constantFrom('spec', 'check'),
});

type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

/** A case that sends requests, whatever is drawn. */
const undisturbed: Drawn = {
  ...{ name: 'key', content: secret, pointer: '', among: /./, at: 0 },
  ...{ how: 'elsewhere', keyed: 'keyless', command: 'spec' },
};

/** Writes a document that takes a file in which a secret is for a part of itself; returns the flags that name it. */
function plant(
  folder: string,
  server: string,
  { name, content, pointer, among, at, how, keyed }: Drawn,
): string[] {
  const write = (file: string, text: string): string => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
    return join(folder, file);
  };
  write(name === 'link.yaml' ? 'key' : name, content);
  if (name === 'link.yaml') symlinkSync('key', join(folder, name));
  const document = parse(readFileSync('gallery/binance/openapi.yaml', 'utf8'));
  document.servers = [{ url: server }];
  document.info['x-sample-pools'] = ['ETHUSDT'];
  if (keyed !== 'keyless') {
    document.security = [{ key: [] }];
    document.components.securitySchemes = { key: { type: 'apiKey', in: 'header', name: 'X-Key' } };
  }
  const places = listPlaces(document, '$').filter(({ path }) => among.test(path));
  const {
    around,
    name: member,
    path,
  } = places[at % places.length] ?? { around: document, name: 'x', path: '$' };
  const reference = { $ref: `./${name}${pointer}` };
  if (how === 'replaced') around[member] = reference;
  if (how === 'beside') around[member] = Object.assign({}, around[member], reference);
  if (how === 'merge') around[member] = { '<<': reference };
  const actions = {
    update: [{ target: path, update: reference }],
    copy: [
      { target: '$', update: { 'x-a': reference } },
      { target: path, copy: "$['x-a']" },
    ],
  };
  const file = write('api.yaml', JSON.stringify(document));
  if (how !== 'update' && how !== 'copy') return [file];
  return [
    file,
    '--overlay',
    write('overlay.yaml', JSON.stringify({ overlay: '1.1.0', actions: actions[how] })),
  ];
}

/** Returns the texts of all files that a command wrote. */
function readWritten(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n');
}

test('no byte of a file beside a document leaves, and no key that it does not ask for', async () => {
  test.setTimeout(300_000);
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(`${request.url} ${request.rawHeaders.join(' ')}`);
    response.setHeader('content-type', 'application/json').end('[]');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = test.info().outputPath('planted', 'in');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const numRuns = process.env.CANDLEPROOF_THOROUGH ? 400 : 15;
  let sent = 0;
  await fc.assert(
    fc.asyncProperty(drawn, async (draw) => {
      heard.length = 0;
      rmSync(dirname(folder), { recursive: true, force: true });
      const out = join(dirname(folder), 'out');
      mkdirSync(out, { recursive: true });
      const named = plant(folder, url, draw);
      const keyless = draw.keyed === '--keyless' && draw.command === 'check' ? ['--keyless'] : [];
      // A document that asks for a key gets it at a server that the caller names.
      const at = draw.keyed === 'keyless' ? [url] : [];
      const args =
        draw.command === 'spec'
          ? ['spec', ...named, '--try', ...at]
          : ['check', ...at, '--spec', ...named, ...keyless, '--budget', '2', '--out', out];
      const { stdout, stderr } = await candleproof(args, { CANDLEPROOF_API_KEY: key });
      sent += heard.length;
      const left = [stdout, stderr, ...heard, readWritten(out)].join('\n');
      expect([left.includes(secret), left.includes(key)]).toEqual([false, false]);
    }),
    { numRuns, examples: [[undisturbed]] },
  );
  server.close();
  expect(sent).toBeGreaterThan(0);
});
