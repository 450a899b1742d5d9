#!/usr/bin/env node
import { join } from 'node:path';
import { endWithLauncher, isRecent, isSetUp, root, runOnRecentNode } from './runtime.js';

endWithLauncher();

if (!isRecent()) {
  process.exitCode = await runOnRecentNode([join(root, 'cli', 'candleproof.js'), ...process.argv.slice(2)]);
} else if (!isSetUp()) {
  process.stderr.write('candleproof is not set up here: run "npm ci" in its folder first\n');
  process.exitCode = 2;
} else {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache();
  const { main } = await import('./main.ts');
  process.exitCode = await main(process.argv.slice(2));
}
