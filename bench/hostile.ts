/**
 * Measures the resources that hostile targets take from a check of sixteen requests, and hostile clients and upstreams
 * from a proxy in some seconds: the rows of two tables in SECURITY.md. Run it with `node bench/hostile.ts`, or with
 * `proxy` for the second table only.
 */

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '../http/testing/certificates.ts';
import { hostileTargets } from '../http/testing/hostile-targets.ts';
import { checkHostile } from '../testing/hostile-check.ts';
import { proxyHostile } from '../testing/hostile-proxy.ts';
import { hostilePassing } from '../traffic/testing/hostile-passing.ts';

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

const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
try {
  if (process.argv[2] !== 'proxy') await checks(folder);
  await proxies(folder);
} finally {
  rmSync(folder, { recursive: true });
}
