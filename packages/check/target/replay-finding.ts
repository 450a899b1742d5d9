import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readHar } from '@candleproof/client/har/read-har';
import { readNamedFile } from '@candleproof/files/read-file';
import { UsageError } from '@candleproof/files/usage-error';
import type { Finding } from '@candleproof/law/judge/verdict';
import type { Recording } from '@candleproof/law/reading/exchange';
import { choose } from '@candleproof/law/rules/catalogue';
import { type Replayed, type ReplayOptions, replay } from '../run/replay.ts';
import { type Booking, maxBodiesOfRun, type SendingOptions, withClient } from './client.ts';
import type { Target } from './target.ts';

/** The result of a replay, with the finding that it was about. */
export type ReplayedFinding = RecordedFinding['finding'] & Replayed;

/** The choices of one replay; `budget` is the most requests to send. */
export type ReplayChoices = Pick<SendingOptions, 'timeout' | 'maxBody'> &
  Booking &
  Pick<ReplayOptions, 'budget' | 'stop' | 'onPlan'>;

/**
 * Requests the evidence of a recorded finding again and reports whether it is fixed.
 * @throws UsageError for a rule that no longer exists
 */
export async function replayFinding(
  target: Target,
  { finding, recording }: RecordedFinding,
  { budget, stop, onPlan, ...sending }: ReplayChoices,
): Promise<ReplayedFinding> {
  const { chosen, unknown } = choose([finding.rule]);
  if (unknown.length > 0) throw new UsageError(`replay: there is no rule "${finding.rule}" any more`);
  const replayed = await withClient(target, { ...sending, budget, mostBodies: maxBodiesOfRun }, (client) =>
    replay({
      spec: target.spec,
      target: target.facts,
      fingerprint: finding.fingerprint,
      law: { rules: chosen.rules, questions: [] },
      hasKey: target.apiKey !== undefined,
      ...{ recording, client, budget, stop },
      onPlan,
    }),
  );
  const { rule, fingerprint } = finding;
  return { rule, fingerprint, ...replayed };
}

const mostBytes = 64 * 1024 * 1024;

/** A finding of a stored run, with the recording behind it. */
export type RecordedFinding = {
  readonly finding: Pick<Finding, 'rule' | 'fingerprint'>;
  readonly recording: Recording;
};

/**
 * Reads a finding from a run's folder by its number, from 1, or its fingerprint; reads all of them if none is named.
 * @throws UsageError that lists the findings
 */
export function readRecordedFindings(run: string, wanted?: string): RecordedFinding[] {
  const isFolder = statSync(run, { throwIfNoEntry: false })?.isDirectory() === true;
  const file = isFolder ? join(run, 'run.json') : run;
  const findings = readFindings(file);
  const chosen = findings.filter(
    ({ fingerprint }, at) => wanted === undefined || wanted === fingerprint || wanted === String(at + 1),
  );
  if (wanted !== undefined && chosen.length === 0) {
    const list = findings.map((finding, number) => `${number + 1} ${finding.fingerprint}`).join('; ');
    throw new UsageError(`replay: ${file} has no finding "${wanted}": ${list || 'it has none'}`);
  }
  const recording = readRecording(join(dirname(file), 'exchanges.har'));
  return chosen.map((finding) => ({ finding, recording }));
}

function readFindings(file: string): RecordedFinding['finding'][] {
  const text = readNamedFile(file, 'replay', mostBytes);
  try {
    const { findings } = JSON.parse(text);
    if (Array.isArray(findings) && findings.every(isFinding)) return findings;
  } catch {
    // Said below.
  }
  throw new UsageError(`replay: ${file} is no run of ours: give the folder of a check, or its run.json`);
}

function isFinding(value: unknown): value is RecordedFinding['finding'] {
  const { rule, fingerprint } = (value ?? {}) as { rule?: unknown; fingerprint?: unknown };
  return typeof rule === 'string' && typeof fingerprint === 'string';
}

function readRecording(file: string): Recording {
  const { target, seed = 0, exchanges } = readHar(file, 'replay');
  if (!target) throw new UsageError(`replay: ${file} does not tell its target: it is no recording of ours`);
  return { target, seed, exchanges };
}
