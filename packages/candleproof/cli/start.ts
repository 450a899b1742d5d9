import { pathToFileURL } from 'node:url';
import type { RunOutcome } from '@candleproof/check/run/run-outcome';
import { checkTarget } from '@candleproof/check/target/check-target';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { drawFinding } from '@candleproof/reports/formats/terminal';
import { formatRequests } from '@candleproof/reports/words/tally';
import { writeReports } from '../library/write-run.ts';
import { openLocal } from './target/local-service.ts';
import { printLines, printText, terminalStyle } from './words/output.ts';

/** The fault of the second act: the one that a live service was seen to have. */
const shownFault = { id: 'F31', rule: 'candle/average-is-within-range' };

process.exitCode = await play();

/** Plays `npm start`: a sound service passes, a broken one is caught, and the last lines show how to check another. */
async function play(): Promise<number> {
  print('1  A sound service, judged against its document');
  const sound = await run([]);
  const musts = sound.run.rules.filter((rule) => rule.level === 'must');
  print(
    `   ${sound.run.verdict}: ${musts.filter((must) => must.outcome === 'passed').length} of ${musts.length} musts passed, ${sound.run.rules.length} of ${catalogue.rules.length + catalogue.questions.length} rules and questions apply`,
  );
  print(`   ${formatRequests(sound.run)}`);
  const page = writeReports(sound, undefined);

  print(`\n2  The same service with one fault: averages that were never divided (${shownFault.id})`);
  const broken = await run([shownFault.id]);
  const found = broken.run.findings.findLast((finding) => finding.rule === shownFault.rule);
  print(`   ${broken.run.verdict}: ${found ? `found by ${found.rule}` : 'NOT FOUND'}`);
  if (found) {
    print(`   expected avg ${found.expected}`);
    print(`   actual   ${found.actual}`);
    print(drawFinding(found, terminalStyle()));
  }
  const brokenPage = writeReports(broken, 'reports/out/local-with-a-fault');

  print('\n3  What to read, and what next');
  print(`   ${link(page)}\n   ${link(brokenPage)}`);
  printLines(
    '   npx candleproof check --base-url https://YOUR-HOST --api-key-file KEYFILE --pools-v1 1 --pools-v2 1\n',
  );
  return sound.run.verdict === 'conformant' && broken.run.verdict === 'nonconformant' && found ? 0 : 1;
}

async function run(faults: readonly string[]): Promise<RunOutcome> {
  const { target, close } = await openLocal({ faults });
  return checkTarget(target, { timeout: 10_000, seed: 1, law: catalogue, faults }).finally(close);
}

function link(folder: string): string {
  return pathToFileURL(`${folder}/index.html`).href;
}

function print(text: string): void {
  printText(`${text}\n`);
}
