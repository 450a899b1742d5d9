import type { Command } from 'commander';
import { loadAcceptedSpec } from '../accepted-spec.ts';
import { addBaselineFlags, type BaselineFlags, closeBaseline, openBaseline } from '../baseline/flags.ts';
import { exitCodeOf } from '../exit-code.ts';
import { judgeRecording, readRecordings } from '../judge-recording.ts';
import { publishRun } from '../publish-run.ts';
import { chosenCatalogue, editionMeans, readEdition, strictMeans } from '../run-flags.ts';
import { specFile } from '../version.ts';

type JudgeFlags = BaselineFlags & {
  readonly out?: string;
  readonly only?: readonly string[];
  readonly edition?: number;
  readonly strict?: boolean;
};

export function registerJudge(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('judge <files...>')
    .description('judge recorded traffic (HAR 1.2) without sending anything');
  addBaselineFlags(command)
    .option('--out <dir>', 'folder for the reports')
    .option('--only <names...>', 'rules or groups of rules to judge by')
    .option('--edition <n>', editionMeans, readEdition)
    .option('--strict', strictMeans)
    .action(async (files: string[], flags: JudgeFlags) => {
      const law = chosenCatalogue(flags.only, flags.edition);
      const spec = await loadAcceptedSpec(specFile);
      const recording = readRecordings(spec, files);
      const baseline = openBaseline(flags, recording.target);
      const outcome = judgeRecording(spec, recording, { law, files, baseline });
      publishRun(outcome, flags.out);
      closeBaseline(baseline, outcome.run);
      exit(exitCodeOf(outcome.run, flags.strict === true));
    });
}
