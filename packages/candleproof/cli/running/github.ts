import { appendFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { shownPath } from '@candleproof/files/shown-path';
import { UsageError } from '@candleproof/files/usage-error';
import type { Environment } from '@candleproof/files/user-folders';
import type { Run } from '@candleproof/law/judge/verdict';
import { type ReportedRun, renderFormat } from '@candleproof/reports/formats/formats';
import type { Command } from 'commander';
import { type PrintFlags, wordStream } from '../words/output.ts';
import { headings } from './options.ts';

export type GithubFlags = {
  /** False with `--no-annotations`. */
  readonly annotations?: boolean;
  /** False with `--no-step-summary`. */
  readonly stepSummary?: boolean;
};

/** Adds the flags that switch off what GitHub Actions shows of a run. */
export function addGithubFlags(command: Command): Command {
  return command
    .optionsGroup(headings.written)
    .option('--no-annotations', 'in GitHub Actions: no annotation for each finding')
    .option('--no-step-summary', "in GitHub Actions: nothing on the job's page");
}

/** Annotates the findings and writes the job's summary if the run takes place in GitHub Actions. */
export function reportToGithub(
  run: Run,
  flags: GithubFlags & PrintFlags,
  place: ReportedRun['place'],
  env: Environment,
): void {
  if (!env.GITHUB_ACTIONS) return;
  if (flags.annotations !== false) wordStream(flags).write(renderFormat('annotations', { run, place }));
  if (flags.stepSummary === false || !env.GITHUB_STEP_SUMMARY) return;
  try {
    appendFileSync(env.GITHUB_STEP_SUMMARY, renderFormat('summary.md', { run }));
  } catch (error) {
    throw new UsageError(`GITHUB_STEP_SUMMARY: ${(error as Error).message}; --no-step-summary does without`);
  }
}

/** Returns a place as code hosts know it: from the root of the checkout, which GitHub and GitLab name. */
export function placeFromRoot(place: ReportedRun['place'], env: Environment): ReportedRun['place'] {
  const root = env.GITHUB_WORKSPACE ?? env.CI_PROJECT_DIR;
  if (!place) return place;
  if (!root) return { ...place, file: shownPath(place.file) };
  return { ...place, file: relative(root, resolve(place.file)).replaceAll('\\', '/') };
}
