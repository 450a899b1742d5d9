import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { called } from '@candleproof/command/called';
import { formatCsv, listTimes, makeRows } from '@candleproof/gate/testing/tables';
import { createCertificate } from '@candleproof/reference-service/certificate';

/** One way to have a flag write a file. */
export type FileWriter = {
  /** The flags, after their commands, that write in this way. */
  readonly flags: readonly string[];
  /** True if a run has a file that it reads. */
  readonly hasInput: boolean;
  /** True if a run that is not refused takes little time. */
  readonly isCheap?: boolean;
  /** True if the run reads the file before it writes it: then its form decides, and no --force. */
  readonly isReadFirst?: boolean;
  /** Makes the inputs of a run in a folder. */
  prepare(folder: string): Promise<Prepared>;
};

type Prepared = { readonly input?: string; readonly args: (file: string) => readonly string[] };

/** Flags that name a file to read alone. */
export const readFlags = [
  ...[
    '--config',
    '--spec',
    '--overlay',
    '--api-key-file',
    '--other-key-file',
    '--ca-file',
    '--cert',
    '--key',
  ],
  ...['--merge', '--compare', '--path', '--ledger'],
];

const table = formatCsv(makeRows(listTimes(40, 300)));

/** Makes a writer whose command reads one file, which holds `text`. */
function reading(
  text: string,
  args: (input: string, file: string) => readonly string[],
): Pick<FileWriter, 'hasInput' | 'prepare'> {
  return {
    hasInput: true,
    prepare: async (folder) => {
      const input = join(folder, 'input');
      writeFileSync(input, text);
      return { input, args: (file) => args(input, file) };
    },
  };
}

const answer = JSON.stringify({
  ...{ s: 'ok', t: [1_773_241_200, 1_773_244_800, 1_773_248_400] },
  ...{ o: [1, 2, 3], h: [2, 3, 4], l: [1, 2, 3], c: [2, 3, 4], v: [1, 1, 1] },
});
const answerUrl = 'https://api.invalid/history?symbol=A&resolution=60&from=1773241200&to=1773248400';
const { caPem } = await createCertificate();
const nowhere = 'https://127.0.0.1:1';

/** The files that the flags of all commands write, under the command and the flag. */
export const fileWriters: Readonly<Record<string, FileWriter>> = {
  'gate --clean': {
    flags: ['gate --clean'],
    isCheap: true,
    ...reading(table, (input, file) => ['gate', input, '--clean', file]),
  },
  'gate --repair': {
    flags: ['gate --repair'],
    isCheap: true,
    ...reading(table, (input, file) => ['gate', '--repair', file, input]),
  },
  'look --write': {
    flags: ['look --write'],
    isCheap: true,
    ...reading(answer, (input, file) => ['look', input, '--url', answerUrl, '--write', file]),
  },
  'rules --markdown': {
    flags: ['rules --markdown'],
    hasInput: false,
    isCheap: true,
    prepare: async () => ({ args: (file) => ['rules', '--markdown', file] }),
  },
  'monitor results export --out': {
    flags: ['monitor results export --out'],
    hasInput: true,
    isCheap: true,
    prepare: async (folder) => {
      const [lines, data] = [join(folder, 'lines'), join(folder, 'data')];
      writeFileSync(lines, '');
      await called(['monitor', 'results', 'import', lines, '--data', data]);
      const args = (file: string) => ['monitor', 'results', 'export', '--data', data, '--out', file];
      return { input: join(data, 'results.db'), args };
    },
  },
  'serve keys issue --out': {
    flags: ['serve keys issue --out'],
    hasInput: true,
    isCheap: true,
    prepare: async (folder) => {
      const data = join(folder, 'data');
      await called(['serve', 'keys', 'issue', '--data', data]);
      // The store may change: a key is issued.
      const input = join(data, 'api-key');
      writeFileSync(input, 'a key');
      return { input, args: (file) => ['serve', 'keys', 'issue', '--data', data, '--out', file] };
    },
  },
  'serve --ready-file': {
    flags: ['serve --ready-file'],
    ...reading('', (input, file) => ['serve', '--port', '0', '--key', input, '--ready-file', file]),
  },
  'proxy --ready-file': {
    flags: ['proxy --ready-file'],
    ...reading('', (input, file) => [
      ...['proxy', '--upstream', nowhere, '--ca-file', input, '--port', '0', '--ready-file', file],
    ]),
  },
  'load --plan': {
    flags: ['load --plan'],
    hasInput: true,
    prepare: async (folder) => {
      const [config, input] = [join(folder, 'candleproof.yaml'), join(folder, 'ca.pem')];
      writeFileSync(config, `version: 1\ntargets:\n  shop: { baseUrl: '${nowhere}', caFile: ca.pem }\n`);
      writeFileSync(input, '');
      return { input, args: (file) => ['load', 'smoke', 'shop', '--config', config, '--plan', file] };
    },
  },
  'judge --baseline': {
    flags: ['judge --baseline', 'check --baseline', 'plan --baseline'],
    isReadFirst: true,
    isCheap: true,
    hasInput: true,
    prepare: async (folder) => {
      const input = join(folder, 'answers.har');
      copyFileSync('tests/fixtures/published-answers.har', input);
      const out = join(folder, 'out');
      const args = (file: string) => ['judge', input, '--out', out, '--baseline', file, '--write-baseline'];
      return { input, args };
    },
  },
  'explore --counterexamples': {
    flags: ['explore --counterexamples'],
    isReadFirst: true,
    ...reading(caPem, (input, file) => [
      ...['explore', '--base-url', nowhere, '--keyless', '--pools-v1', '1', '--ca-file', input],
      ...['--counterexamples', file],
    ]),
  },
  'init --config': {
    flags: ['init --config'],
    isReadFirst: true,
    ...reading(caPem, (input, file) => [
      ...['init', nowhere, '--keyless', '--pools-v1', '1', '--ca-file', input, '--config', file],
    ]),
  },
};
