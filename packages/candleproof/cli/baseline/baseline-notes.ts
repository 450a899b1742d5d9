import type { BaselineUpdate } from '@candleproof/law/judge/baseline-update';
import type { BaselineResult, KnownStatus, Run } from '@candleproof/law/judge/verdict';
import { clip, makeVisible } from '@candleproof/reports/words/escape';
import { listSome, plural } from '@candleproof/reports/words/format';

type KnownEntry = BaselineResult['known'][number];

/** Most names in one line (others are counted), and most characters of a name. */
const most = 3;
const longest = 120;

/** Returns the warnings of a run about its baseline, one line for each kind. */
export function listBaselineWarnings(run: Run, file: string): string[] {
  const { baseline, target, observations } = run;
  if (!baseline) return [];
  const changed = observations
    .filter((observation) => observation.changed)
    .map((observation) => observation.id);
  const warnings = [
    baseline.target !== target.name &&
      `it belongs to the target "${baseline.target}", and this one is only known as "${target.name}"`,
    ...entryWarnings(baseline.known),
    changed.length > 0 && `${plural(changed.length, 'expected answer')} changed: ${list(changed)}`,
    baseline.strayPins.length > 0 &&
      `no question is called ${list(baseline.strayPins)}: take that out of the observations`,
  ];
  return warnings.filter((warning) => warning !== false).map((warning) => `${file}: ${warning}`);
}

function entryWarnings(known: readonly KnownEntry[]) {
  const kinds: [KnownStatus, string, string][] = [
    ['expired', 'expired', 'they count again until their end date is moved'],
    ['surprised', 'gone', 'take them out, or let --write-baseline do it'],
    ['unexercised', 'not met this time', 'this run does not show that they are gone'],
    ['no such rule', 'without a rule', 'take them out; candleproof rules lists all'],
  ];
  return kinds.map(([status, what, mend]) => {
    const names = known.filter((entry) => entry.status === status).map(({ fingerprint }) => fingerprint);
    return names.length > 0 && `${plural(names.length, 'known failing')} ${what}: ${list(names)}: ${mend}`;
  });
}

/** Describes the changes of --write-baseline, one line for each kind. */
export function listBaselineChanges(
  { added, dropped, expired, repinned, baseline }: BaselineUpdate,
  file: string,
): string[] {
  const done = [
    added.length > 0 &&
      `${plural(added.length, 'known failing')} added without a reason: ${list(added)}: fill in why each is accepted; until then --baseline refuses the file`,
    dropped.length > 0 &&
      `${plural(dropped.length, 'known failing')} dropped, since passed: ${list(dropped)}`,
    expired.length > 0 && `${expired.length} expired left as they were: ${list(expired)}`,
    repinned.length > 0 && `${plural(repinned.length, 'expected answer')} replaced: ${list(repinned)}`,
  ];
  const { known, observations } = baseline;
  const total = `${plural(known.length, 'known failing')}, ${plural(Object.keys(observations).length, 'expected answer')}`;
  return [`${file} is written: ${total}`, ...done.filter((line) => line !== false)];
}

/** Lists names from a file or a target: no text of theirs can control a terminal. */
function list(names: readonly string[]): string {
  return listSome(
    names.map((name) => clip(makeVisible(name), longest).trim()),
    most,
  );
}
