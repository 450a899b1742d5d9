import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { called } from '@candleproof/command/called';
import { passingFolder } from '@candleproof/files/testing/passing-folder';
import { sampleRun } from '@candleproof/load/testing/runs';
import { expect, test } from '@playwright/test';
import { commandWords, listCommands } from './help/help.ts';
import { buildProgram } from './main.ts';

// Freezes the words, exit codes and files that scripts rely on. `--update-snapshots` writes them again: read the diff.

const folder = passingFolder();
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const fixtures = resolve('tests/fixtures');
const key = file('key', 'k'.repeat(32));
const here = ['--base-url', 'https://127.0.0.1:1', '--api-key-file', key];
const pools = ['--pools-v1', '1', '--pools-v2', '1'];

const sound = file(
  'BTC-5m.csv',
  ['time,open,high,low,close,volume', ...[0, 1, 2, 3, 4, 5].map((row) => candleLine(row))].join('\n'),
);
const damaged = file(
  'damaged-5m.csv',
  [
    'time,open,high,low,close,volume',
    ...[0, 1, 3, 3, 4, 5].map((row) => candleLine(row)),
    '1700001800,5,4,6,5,1',
  ].join('\n'),
);
const config = file(
  'candleproof.yaml',
  `version: 1
targets:
  testnet:
    baseUrl: https://127.0.0.1:1
    keyless: true
    network: testnet
    pools: { v1: [1], v2: [1, 2] }
`,
);
const wrongConfig = file(
  'wrong.yaml',
  'version: 1\ntargets:\n  testnet:\n    baseUrl: https://127.0.0.1:1\n    pool: [1]\n',
);

function candleLine(row: number): string {
  return `${1_700_000_100 + row * 300},1,2,1,2,10`;
}

/** Prints in the usual width. */
const asInPipe = { COLUMNS: '' };

const calls: Readonly<Record<string, readonly string[]>> = {
  'plan-without-a-config': ['plan', ...here, ...pools],
  'plan-of-a-config': ['plan', 'testnet', '--config', config],
  'plan-of-a-wrong-config': ['plan', 'testnet', '--config', wrongConfig],
  'plan-as-json': ['plan', ...here, ...pools, '--json'],
  'check-without-pools': ['check', ...here],
  'check-of-an-unknown-name': ['check', 'mainnet', '--config', config],
  'check-pr-without-a-recording': ['check', ...here, ...pools, '--tier', 'pr'],
  'rules-unknown': ['rules', 'rollup/volume'],
  'gate-sound': ['gate', sound],
  'gate-damaged': ['gate', damaged],
  'gate-without-a-file': ['gate', join(folder, 'none.csv')],
  'judge-what-is-no-har': ['judge', key, '--out', join(folder, 'no-har')],
  'load-compared-with-itself': [
    'load',
    '--compare',
    file('one.json', JSON.stringify(sampleRun())),
    file('two.json', JSON.stringify(sampleRun())),
  ],
  'report-of-nothing': ['report', '--data', join(folder, 'nothing')],
  'keys-of-nothing': ['serve', 'keys', 'list', '--data', join(folder, 'nothing')],
  'replay-of-nothing': ['replay', join(folder, 'nothing'), '1'],
  'publish-of-nothing': ['publish', join(folder, 'nothing'), '--site', join(folder, 'site')],
  'rehearse-without-a-command': ['rehearse'],
};

for (const [name, args] of Object.entries(calls)) {
  test(`candleproof ${name.replaceAll('-', ' ')} answers as it did`, async () => {
    expect(asText(await called(args, asInPipe))).toMatchSnapshot(`${name}.txt`);
  });
}

test('the help of every command says what it did', async () => {
  const program = await buildProgram([], () => undefined);
  const calls = listCommands(program)
    .slice(1)
    .map((command) => commandWords(command).split(' '));
  const helps = await calls.reduce<Promise<string[]>>(
    async (texts, words) => [...(await texts), (await called([...words, '--help', 'all'], asInPipe)).stdout],
    Promise.resolve([]),
  );
  expect(helps.join(`\n${'-'.repeat(80)}\n\n`)).toMatchSnapshot('help.txt');
});

for (const recording of ['published-answers', 'mitmproxy-f31']) {
  test(`judging the recording ${recording} writes the files that it did`, async () => {
    const out = join(folder, recording);
    const ended = await called(['judge', join(fixtures, `${recording}.har`), '--out', out], asInPipe);
    expect(asText(ended)).toMatchSnapshot(`judge-${recording}.txt`);
    expect(readdirSync(out).sort().join('\n')).toMatchSnapshot(`judge-${recording}-files.txt`);
    for (const name of ['run.json', 'junit.xml', 'summary.md'])
      expect(unpathed(readFileSync(join(out, name), 'utf8'))).toMatchSnapshot(`judge-${recording}-${name}`);
  });
}

type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

function asText({ code, stdout, stderr }: Ended): string {
  return unpathed(`exit ${code}\n--- stdout\n${stdout}--- stderr\n${stderr}`);
}

/** Replaces what differs by machine or is worded elsewhere: paths, the document's hash, the texts of the rules. */
function unpathed(text: string): string {
  return text
    .replaceAll(folder, 'FOLDER')
    .replaceAll(fixtures, 'FIXTURES')
    .replace(/("specSha256": ")[0-9a-f]{64}/g, '$1…')
    .replace(/^( *"(?:statement|why|question)": ").*"/gm, '$1…"');
}
