import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeNamedFile } from '@candleproof/files/named-file';
import { readNamedFile } from '@candleproof/files/read-file';
import { UsageError } from '@candleproof/files/usage-error';
import { ask } from '../running/ask.ts';
import { printText } from '../words/output.ts';

/** A workflow that checks a target each night, and the script of package.json that it runs. */
export type NewPipeline = {
  readonly workflow: { readonly file: string; readonly text: string };
  readonly manifest: { readonly file: string; readonly text: string };
  /** Both as they are shown before they are written. */
  readonly words: string;
};

const script = 'check:api';
const mostBytes = 1 << 20;

/**
 * Plans what `init --ci` adds to the folder of a config.
 * @throws UsageError without a package.json, or where one of the two is there already
 */
export function planPipeline(
  folder: string,
  { target, hasKey }: { readonly target: string; readonly hasKey: boolean },
): NewPipeline {
  const workflow = {
    file: join(folder, '.github', 'workflows', 'candleproof.yml'),
    text: workflowText(hasKey),
  };
  if (existsSync(workflow.file))
    throw new UsageError(`--ci: ${workflow.file} is there already; leave --ci out, or move that file away`);
  const file = join(folder, 'package.json');
  const before = readNamedFile(file, '--ci', mostBytes);
  const [manifest, command] = [readManifest(before, file), `candleproof check ${target}`];
  if (manifest.scripts?.[script] !== undefined)
    throw new UsageError(`--ci: ${file} has a script "${script}" already; leave --ci out, or rename it`);
  const added = { ...manifest, scripts: { ...manifest.scripts, [script]: command } };
  const [, indent = '  '] = /^\{\r?\n([ \t]+)/.exec(before) ?? [];
  return {
    workflow,
    manifest: { file, text: `${JSON.stringify(added, null, indent)}\n` },
    words: `${workflow.file}:\n\n${workflow.text}\n${file}, one more script:\n\n  "${script}": "${command}"\n\n`,
  };
}

/** Shows what `--ci` adds, and writes it unless someone at a terminal says no. */
export async function addPipeline(pipeline: NewPipeline, hasKey: boolean): Promise<void> {
  printText(`\n${pipeline.words}`);
  const answer = await ask('Write both? (yes) ');
  if (answer !== undefined && !/^(y(es)?)?$/i.test(answer)) return printText('Neither was written.\n');
  const { workflow, manifest } = pipeline;
  writeNamedFile({ flag: '--ci', file: workflow.file }, workflow.text);
  writeNamedFile({ flag: '--ci', file: manifest.file, mayReplace: true }, manifest.text);
  const secret = hasKey ? '; add the secret CANDLEPROOF_API_KEY in the settings of the repository' : '';
  printText(`Both are written${secret}.\n`);
}

type Manifest = { readonly scripts?: Readonly<Record<string, string>> };

function readManifest(text: string, file: string): Manifest {
  try {
    const manifest: unknown = JSON.parse(text);
    if (typeof manifest === 'object' && manifest !== null && !Array.isArray(manifest)) return manifest;
  } catch {
    // Refused below, as is what is no object.
  }
  throw new UsageError(`--ci: ${file} is no JSON object: mend it, or make one with npm init`);
}

/** Actions are pinned, since a tag can move to other code, which would run with the key. */
function workflowText(hasKey: boolean): string {
  const key = `\n        env:\n          CANDLEPROOF_API_KEY: \${{ secrets.CANDLEPROOF_API_KEY }}`;
  return `name: candleproof
on:
  schedule:
    - cron: '17 3 * * *'
  workflow_dispatch:
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
      - uses: actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0
        with:
          node-version: 24
      - run: npm ci
      - run: npm run ${script}${hasKey ? key : ''}
      - uses: actions/upload-artifact@043fb46d1a93c77aae656e7c1c64a875d1fc6a0a # v7.0.1
        if: always()
        with:
          name: candleproof-report
          path: reports/out
`;
}
