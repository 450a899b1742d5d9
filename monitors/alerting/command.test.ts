import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { type CommandSink, run } from './command.ts';
import { message } from './testing/messages.ts';

const { signal } = new AbortController();
const environment = { ...process.env, CANDLEPROOF_API_KEY: 'the-key-itself' };

function command(script: string, ...rest: string[]) {
  return { name: 'pager', kind: 'command', command: [process.execPath, '-e', script, ...rest] } as const;
}

function newFile(): string {
  return test.info().outputPath('out');
}

test('a command gets the message on its input, facts as variables and never the key', async () => {
  const file = newFile();
  const script = `
    const input = require('node:fs').readFileSync(0, 'utf8');
    const variables = Object.entries(process.env).filter(([name]) => name.startsWith('CANDLEPROOF_'));
    require('node:fs').writeFileSync(process.argv[1], JSON.stringify({ input, variables, rest: process.argv.slice(2) }));`;
  const sink = command(script, file, '$(touch x); *');
  expect(await run(sink, message, { signal, environment })).toBeUndefined();
  const { input, variables, rest } = JSON.parse(readFileSync(file, 'utf8'));
  expect(JSON.parse(input)).toEqual(message);
  expect(rest).toEqual(['$(touch x); *']);
  const names = Object.keys(message).map((name) => `CANDLEPROOF_${name.toUpperCase()}`);
  expect(Object.keys(Object.fromEntries(variables)).toSorted()).toEqual(names.toSorted());
  expect(JSON.stringify(variables)).not.toContain('the-key-itself');
});

test('text of a message is text to a command, whatever a shell would make of it', async () => {
  const file = newFile();
  const script = `
    const { CANDLEPROOF_TEXT: text } = process.env;
    require('node:fs').writeFileSync(process.argv[1], JSON.stringify({ text, input: require('node:fs').readFileSync(0, 'utf8') }));`;
  const text = `() { :; }; $(touch ${file}.evil) \`touch ${file}.evil\` '"; touch ${file}.evil\n\0\u202e`;
  expect(await run(command(script, file), { ...message, text }, { signal, environment })).toBeUndefined();
  const seen = JSON.parse(readFileSync(file, 'utf8'));
  expect(seen.text).toBe(text.replace('\0', ''));
  expect(JSON.parse(seen.input).text).toBe(text);
  expect(existsSync(`${file}.evil`)).toBe(false);
});

test('a message that no environment holds is not sent, and is no error', async () => {
  const giant = { ...message, text: 'x'.repeat(1 << 22) };
  expect(await run(command('0'), giant, { signal, environment })).toBe('not started');
});

test('a command that fails, is not there or reads nothing is reported as such', async () => {
  expect(await run(command('process.exit(3)'), message, { signal, environment })).toBe(
    'ended by exit code 3',
  );
  expect(await run(command('process.exit(0)'), message, { signal, environment })).toBeUndefined();
  const missing = { name: 'pager', kind: 'command', command: ['/no/such/program'] } as const;
  expect(await run(missing, message, { signal, environment })).toBe('not started (ENOENT)');
  expect(await run({ ...missing, command: [] }, message, { signal, environment })).toBe(
    'the command is empty',
  );
});

test('a command that takes too long is killed with its children', async () => {
  test.skip(process.platform === 'win32', 'process groups are of POSIX');
  const file = newFile();
  const script = `
    const child = require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)']);
    require('node:fs').writeFileSync(process.argv[1], String(child.pid));
    setTimeout(() => {}, 60000);`;
  const reason = await run(command(script, file), message, { signal, environment, limitMs: 1500 });
  expect(reason).toBe('not done within 1.5 s');
  const child = Number(readFileSync(file, 'utf8'));
  await expect.poll(() => isAlive(child)).toBe(false);
});

test('a process without environment in another session is killed with its command', async () => {
  test.skip(process.platform !== 'linux', 'only Linux shows the limits of other processes');
  const file = newFile();
  const script = 'env -i setsid sh -c \'echo $$ > "$1"; exec sleep 60\' sh "$1" & sleep 60';
  const sink: CommandSink = { name: 'pager', kind: 'command', command: ['sh', '-c', script, 'sh', file] };
  expect(await run(sink, message, { signal, environment, limitMs: 1500 })).toBe('not done within 1.5 s');
  const child = Number(readFileSync(file, 'utf8'));
  expect(child).toBeGreaterThan(0);
  await expect.poll(() => isAlive(child)).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    // A killed process that its parent has not reaped yet counts as dead.
    return process.kill(pid, 0) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
