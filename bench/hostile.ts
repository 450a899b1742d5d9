/**
 * What each hostile target takes from a check of sixteen requests: the rows of the table in SECURITY.md. Run it with
 * `node bench/hostile.ts`.
 */

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkHostile } from '../cli/testing/hostile-check.ts';
import { createAuthority } from '../http/testing/certificates.ts';
import { hostileTargets } from '../http/testing/hostile-targets.ts';

const authority = await createAuthority();
const identity = await authority.certify({ dns: ['localhost'], ip: ['127.0.0.1'] });
const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
console.log(
  '| It answers | exit | seconds of processor time | peak MiB of memory |\n| --- | ---: | ---: | ---: |',
);
try {
  for (const { name, answer } of hostileTargets) {
    const server = createServer(identity, answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, seconds, mib } = await checkHostile(`https://localhost:${port}`, authority.ca, folder);
    console.log(`| ${name} | ${code} | ${seconds.toFixed(1)} | ${mib.toFixed(0)} |`);
    server.closeAllConnections();
    server.close();
  }
} finally {
  rmSync(folder, { recursive: true });
}
