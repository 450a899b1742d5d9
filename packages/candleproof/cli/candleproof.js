#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  endWithLauncher,
  isClone,
  isRecent,
  isSetUp,
  muteExperimentalWarnings,
  runOnRecentNode,
} from './runtime.js';

endWithLauncher();

if (!isRecent()) {
  process.exitCode = await runOnRecentNode([fileURLToPath(import.meta.url), ...process.argv.slice(2)]);
} else if (!isSetUp({ omitsDev: true })) {
  process.stderr.write('candleproof is not set up here: run "npm ci" in its folder first\n');
  process.exitCode = 2;
} else if (process.argv.length === 3 && process.argv[2] === '--version') {
  // Without the half second that everything else takes to load.
  process.stdout.write(
    `${JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version}\n`,
  );
} else {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache();
  if (process.env.CANDLEPROOF_DEBUG) process.setSourceMapsEnabled(true);
  muteExperimentalWarnings();
  withoutWebSockets();
  // A clone runs its sources, the package what was built of them.
  const { main } = await import(isClone ? './main.ts' : '../dist/packages/candleproof/cli/main.js');
  process.exitCode = await main(process.argv.slice(2));
}

/** An import of node:http reads all that it exports; these three alone load Node's whole fetch, which is a tenth of a start. */
function withoutWebSockets() {
  const http = process.getBuiltinModule('node:http');
  for (const name of ['WebSocket', 'CloseEvent', 'MessageEvent']) Reflect.deleteProperty(http, name);
}
