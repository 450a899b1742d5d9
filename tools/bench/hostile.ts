/**
 * Measures the resources that hostile targets take from a check of sixteen requests, hostile clients and upstreams
 * from a proxy in some seconds, hostile documents from a check that refuses them, and hostile files from a gate: the
 * rows of four tables in SECURITY.md. Run it with `node tools/bench/hostile.ts`, or with `checks`, `proxy`, `documents` or
 * `files` for one of them.
 */

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '@candleproof/client/testing/certificates';
import { hostileTargets } from '@candleproof/client/testing/hostile-targets';
import { heavyFiles } from '@candleproof/command/heavy-files';
import { checkHostile, measureCommand } from '@candleproof/command/hostile-check';
import { proxyHostile } from '@candleproof/command/hostile-proxy';
import { heavyDocuments } from '@candleproof/document/spec/testing/heavy-documents';
import { hostilePassing } from '@candleproof/proxy/testing/hostile-passing';

const seconds = 6;

async function checks(folder: string): Promise<void> {
  const authority = await createAuthority();
  const identity = await authority.certify({ dns: ['localhost'], ip: ['127.0.0.1'] });
  console.log(
    '| It answers | exit | seconds of processor time | peak MiB of memory |\n| --- | ---: | ---: | ---: |',
  );
  for (const { name, answer } of hostileTargets) {
    const server = createServer(identity, answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, seconds, mib } = await checkHostile(`https://localhost:${port}`, authority.ca, folder);
    console.log(`| ${name} | ${code} | ${seconds.toFixed(1)} | ${mib.toFixed(0)} |`);
    server.closeAllConnections();
    server.close();
  }
}

async function proxies(folder: string): Promise<void> {
  console.log('| It gets | other client | peak MiB of memory | s to its end |\n| --- | ---: | ---: | ---: |');
  for (const passing of hostilePassing) {
    const { code, otherMs = Number.NaN, mib, endSeconds } = await proxyHostile(passing, folder, seconds);
    if (code !== 0) throw new Error(`the proxy ended with ${code}`);
    const waited = (otherMs / 1000).toFixed(1);
    console.log(`| ${passing.name} | ${waited} | ${mib.toFixed(0)} | ${endSeconds.toFixed(1)} |`);
  }
}

async function documents(folder: string): Promise<void> {
  console.log(
    '| It holds | exit | seconds of processor time | peak MiB of memory |\n| --- | ---: | ---: | ---: |',
  );
  for (const { name, write } of heavyDocuments) {
    const at = join(folder, name.replaceAll(/\W+/g, '-'));
    const { code, seconds, mib } = await measureCommand(
      ['check', ...write(at), '--out', join(at, 'out')],
      at,
    );
    console.log(`| ${name} | ${code} | ${seconds.toFixed(1)} | ${mib.toFixed(0)} |`);
    rmSync(at, { recursive: true });
  }
}

async function files(folder: string): Promise<void> {
  console.log(
    '| It is | exit | seconds of processor time | peak MiB of memory |\n| --- | ---: | ---: | ---: |',
  );
  for (const { name, write } of heavyFiles) {
    const file = join(folder, 'heavy');
    const { code, seconds, mib } = await measureCommand(write(file), folder);
    console.log(`| ${name} | ${code} | ${seconds.toFixed(1)} | ${mib.toFixed(0)} |`);
  }
}

const tables = { checks, proxy: proxies, documents, files };
const [, , only] = process.argv;
const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
try {
  for (const [name, measure] of Object.entries(tables))
    if (only === undefined || only === name) await measure(folder);
} finally {
  rmSync(folder, { recursive: true });
}
