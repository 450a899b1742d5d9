import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { assemblePackage } from './assemble.ts';
import { root } from './manifest.ts';

const folder = join(root, 'dist');

await assemblePackage(folder);
// Below npm its own file is named; elsewhere the one of the path serves.
const npm = process.env.npm_execpath;
const args = ['pack', folder, '--loglevel=error', ...process.argv.slice(2)];
const { status } = npm
  ? spawnSync(process.execPath, [npm, ...args], { stdio: 'inherit' })
  : spawnSync('npm', args, { stdio: 'inherit', shell: process.platform === 'win32' });
process.exitCode = status ?? 2;
