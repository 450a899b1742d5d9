import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Authority, createAuthority } from '@candleproof/client/testing/certificates';
import { candleproof } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';

/** A server that judges nothing, and whether its authority is trusted. */
type Cause = {
  readonly names?: Parameters<Authority['certify']>[0];
  readonly isTrusted?: false;
  readonly answer: RequestListener;
};

const empty: RequestListener = (_request, response) => {
  response.setHeader('content-type', 'application/json').end('[]');
};

const causes: Readonly<Record<string, Cause>> = {
  'an untrusted certificate': { isTrusted: false, answer: empty },
  'an expired certificate': {
    names: { ip: ['127.0.0.1'], notAfter: new Date(Date.now() - 60_000) },
    answer: empty,
  },
  'a certificate of another name': { names: { dns: ['other.example'] }, answer: empty },
  'a redirect': {
    answer: (_request, response) => {
      response.writeHead(302, { location: 'https://elsewhere.example/' }).end();
    },
  },
  'a login page': {
    answer: (_request, response) => {
      response.setHeader('content-type', 'text/html').end('<html><form>Sign in</form></html>');
    },
  },
  'a 401 of everything': {
    answer: (_request, response) => {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"message":"no"}');
    },
  },
};

const documents: readonly (readonly string[])[] = [
  ['--pools-v1', '1', '--pools-v2', '1', '--keyless', '--seed', '1'],
  ['--spec', 'binance', '--seed', '3'],
  ['--spec', 'geckoterminal', '--seed', '2'],
  ['--spec', 'bitstamp', '--seed', '1'],
  ['--spec', 'polygon', '--keyless', '--seed', '1'],
];

/** Returns how a check by each document ends at an address, and why. */
async function endsAt(url: string, caFile?: string): Promise<unknown[]> {
  const folder = test.info().outputPath();
  const ends: unknown[] = [];
  for (const [at, document] of documents.entries()) {
    const out = join(folder, String(at));
    const trust = caFile === undefined ? [] : ['--ca-file', caFile];
    const { code, stdout } = await candleproof([
      ...['check', '--base-url', url, ...document, ...trust, '--budget', '8'],
      ...['--timeout', '2000', '--out', out],
    ]);
    const { verdict, reason, reasonCode } = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
    const [, second, third] = stdout.split('\n');
    // Documents differ in how many musts fail.
    const words = reasonCode === 'musts-failed' ? [third] : [reason, second, third];
    ends.push({ code, verdict, reasonCode, words });
  }
  return ends;
}

test.beforeEach(() => {
  // A resolver that cannot reach anybody takes its time.
  test.setTimeout(180_000);
});

for (const [name, { names = { ip: ['127.0.0.1'] }, isTrusted, answer }] of Object.entries(causes))
  test(`${name} is explained alike whatever the document`, async () => {
    const authority = await createAuthority();
    const server = createServer(await authority.certify(names), answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const caFile = test.info().outputPath('ca.pem');
    mkdirSync(test.info().outputPath(), { recursive: true });
    writeFileSync(caFile, authority.ca);
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const [ours, ...others] = await endsAt(url, isTrusted === false ? undefined : caFile);
    server.closeAllConnections();
    server.close();
    expect(others).toEqual(others.map(() => ours));
  });

for (const [name, url] of [
  ['a name that is not found', 'https://no-such-host.invalid'],
  ['a closed port', 'https://127.0.0.1:1'],
] as const)
  test(`${name} is explained alike whatever the document`, async () => {
    const [ours, ...others] = await endsAt(url);
    expect(others).toEqual(others.map(() => ours));
  });
