import { inferTarget } from '../conformance/recorded.ts';
import { type RunOutcome, toRun } from '../conformance/run.ts';
import { applyBaseline } from '../contract/baseline.ts';
import type { Catalogue } from '../contract/catalogue.ts';
import type { Recording } from '../contract/exchange.ts';
import { judge } from '../contract/judge.ts';
import type { Spec } from '../contract/spec.ts';
import { fromHar, LARGEST_HAR_BYTES } from '../http/har.ts';
import type { OpenBaseline } from './baseline/flags.ts';
import { readNamedFile } from './read-file.ts';
import { UsageError } from './usage-error.ts';
import { version } from './version.ts';

/** The exchanges of all files in their order; a recording of ours tells its target, one of others lets it be inferred. */
export function readRecordings(spec: Spec, files: readonly string[]): Recording {
  const read = files.map((file) => fromHar(readNamedFile(file, 'judge', LARGEST_HAR_BYTES), file));
  const own = read.find((each) => each.target !== undefined);
  const all = read.flatMap((each) => each.exchanges);
  // A browser lists requests as they ended; ours stand in the order of sending.
  const exchanges = own ? all : all.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt));
  const target = own?.target ?? inferTarget(spec, exchanges);
  if (!target) {
    throw new UsageError(
      `judge: ${files.join(', ')}: no request asks for any of the three operations; record some first`,
    );
  }
  return { target, seed: own?.seed ?? 0, exchanges, ...(!own && { isForeign: true }) };
}

/** Judges a recording as it is, measured by a baseline where one is given. */
export function judgeRecording(
  spec: Spec,
  recording: Recording,
  { law, files, baseline }: { law: Catalogue; files: readonly string[]; baseline: OpenBaseline | undefined },
): RunOutcome {
  const judged = judge(spec, recording, {
    catalogue: law,
    replay: (rule) => `npx candleproof judge ${files.join(' ')} --only ${rule}`,
  });
  const measured = baseline ? applyBaseline(judged, baseline.known, baseline.today) : judged;
  const times = recording.exchanges.map((each) => each.startedAt).sort();
  const facts = {
    startedAt: times[0] ?? new Date(0).toISOString(),
    finishedAt: times.at(-1) ?? new Date(0).toISOString(),
    requests: { sent: 0, budget: 0 },
  };
  return { run: toRun(measured, recording, { spec, version, catalogue: law }, facts), recording };
}
