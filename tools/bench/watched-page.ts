/**
 * Measures what looking at a monitor costs its probes, in a process of its own.
 * Arguments: targets, days, and a folder in which the store is made once and kept.
 */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../monitors/page/served/testing/watched-page.ts', import.meta.url));
const { status } = spawnSync(process.execPath, [script, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exitCode = status ?? 2;
