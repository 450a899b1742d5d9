import { spawnSync } from 'node:child_process';
import { adviceAgainst } from './advice.ts';

process.exitCode = audit();

/** Returns exit code 1 if a package that users install has an advisory; 0 if the registry is unreachable. */
function audit(): number {
  const { npm_execpath: npm = '' } = process.env;
  const args = [npm, 'audit', '--omit=dev', '--json'];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 });
  const advice = adviceAgainst(stdout ?? '');
  if (advice === undefined)
    process.stdout.write('left out: npm audit, since the registry gave no answer to it\n');
  else process.stdout.write(`npm audit: ${advice.length === 0 ? 'nothing' : advice.join(', ')}\n`);
  return advice?.length ? 1 : 0;
}
