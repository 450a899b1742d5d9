import { type BaselineChoice, openBaseline } from '@candleproof/check/baseline/open-baseline';
import { type JudgedFiles, judgeRecording, readRecordings } from '@candleproof/check/judging/judge-recording';
import { acceptSpec } from '@candleproof/check/target/accepted-spec';
import { documentFiles } from '@candleproof/check/target/target';
import { readPoolsBySpace, type TargetDescription } from '@candleproof/check/target/target-description';
import { UsageError } from '@candleproof/files/usage-error';
import { makeVisible } from '@candleproof/reports/words/escape';
import { formatEntries } from '@candleproof/reports/words/tally';
import type { Command } from 'commander';
import { chooseLaw } from '../../library/choose-law.ts';
import { addBaselineFlags, closeBaseline } from '../baseline/baseline-flags.ts';
import { addGithubFlags, type GithubFlags } from '../running/github.ts';
import { addLawFlags, type LawFlags, outFlag, strictFlag } from '../running/options.ts';
import { exitCode, publishRun } from '../running/publish-run.ts';
import { keepYoungSpaceSmall } from '../running/young-space.ts';
import { addPoolFlags } from '../target/target-flags.ts';
import { jsonFlag, type PrintFlags } from '../words/output.ts';

type JudgeFlags = BaselineChoice &
  PrintFlags &
  GithubFlags &
  LawFlags &
  Pick<TargetDescription, 'pools' | 'poolsV1' | 'poolsV2' | 'baseUrl' | 'spec' | 'overlay'> & {
    readonly out?: string;
    readonly strict?: boolean;
    readonly headersNotRecorded?: boolean;
  };

/** Adds the command `judge` to the program. */
export function registerJudge(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('judge <files...>')
    .description(
      'judge recorded traffic (HAR 1.2, or a zip of one with its bodies) without sending anything',
    );
  addPoolFlags(command)
    .option('--base-url <url>', 'which of the recorded hosts is the API', readRecordedBase)
    .option('--headers-not-recorded', 'the recording shows some headers of the answers only');
  addLawFlags(addBaselineFlags(command)).option(...strictFlag);
  addGithubFlags(command)
    .option(...outFlag)
    .option(...jsonFlag)
    .action(async (files: string[], flags: JudgeFlags) => {
      keepYoungSpaceSmall();
      const law = chooseLaw(flags.only);
      const spec = await acceptSpec(documentFiles(flags.spec, flags.overlay));
      const { baseUrl, headersNotRecorded, spec: _, ...pools } = flags;
      const judged: JudgedFiles = {
        files,
        baseUrl,
        headersNotRecorded,
        pools: readPoolsBySpace(pools, spec),
      };
      const read = readRecordings(spec, judged);
      const baseline = openBaseline(flags, read.recording.target);
      const outcome = judgeRecording(spec, read, { law, given: judged, baseline });
      const host = makeVisible(read.recording.target.baseUrl);
      publishRun(outcome, flags, undefined, `${host}: ${formatEntries(read.entries)}`);
      closeBaseline(baseline, outcome.run);
      exit(exitCode(outcome.run, flags.strict === true));
    });
}

/** A recording may be of plain HTTP, too. Throws a UsageError for what is no address. */
function readRecordedBase(text: string): string {
  const url = URL.parse(text);
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && url.search + url.hash === '';
  if (!isAddress) throw new UsageError(`--base-url: "${text}" is no URL: give one such as https://host`);
  return url.href.replace(/\/+$/, '');
}
