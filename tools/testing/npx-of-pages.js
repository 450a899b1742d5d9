// Stands in for npx where the blocks of pages are run: starts the command that the tests built, on any free port. One
// that would go on until Ctrl-C gets it once it has printed something, unless its block puts it into the background.
import { spawn } from 'node:child_process';

const { PAGE_COMMAND = '', PAGE_GOES_ON } = process.env;
const [name, ...words] = process.argv.slice(process.argv[2] === '--no-install' ? 3 : 2);
if (name !== 'candleproof') {
  process.stderr.write(`npx ${name}: the pages call candleproof alone\n`);
  process.exit(127);
}

const [first, second = ''] = words;
const isServer = (first === 'serve' && !/^(keys|ingest|faults)$/.test(second)) || first === 'proxy';
const goesOn =
  isServer ||
  (first === 'monitor' &&
    !words.includes('--once') &&
    !/^(ack|note|maintain|backup|alerts|results)$/.test(second)) ||
  (first === 'publish' && words.includes('--serve'));

const args = [PAGE_COMMAND, ...words, ...(isServer ? ['--port', '0'] : [])];
const child = spawn(process.execPath, args, { stdio: ['inherit', goesOn ? 'pipe' : 'inherit', 'inherit'] });
child.stdout?.once('data', () => {
  if (!PAGE_GOES_ON) setTimeout(() => child.kill('SIGINT'), 200);
});
child.stdout?.pipe(process.stdout);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.once('close', (code) => {
  process.exitCode = code ?? 2;
});
