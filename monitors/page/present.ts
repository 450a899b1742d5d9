import { clip } from '@candleproof/reports/words/escape';
import { dateText, durationText, instantText, listSome, plural } from '@candleproof/reports/words/format';
import { maintenanceEnd } from '../plan/maintenance.ts';
import type { WatchFacts } from './judged-days.ts';
import { isRed, type NewestRun, newestInstant, silentSince } from './newest-runs.ts';
import type { Outage } from './outages.ts';
import type { ReportedPlan } from './plan-facts.ts';
import { type WatchId, watchName } from './watches.ts';

/** Kinds of trouble, worst first: as a predicate of the target, and as a noun. */
const troubleWords = {
  availability: ['is down', 'down'],
  correctness: ['serves wrong candles', 'wrong candles'],
  'deep-run': ['fails its newest deep run', 'newest deep run nonconformant'],
  freshness: ['serves stale candles', 'stale candles'],
  latency: ['is slow', 'slow'],
} as const;

/** One trouble of a watch; a deep run's trouble has no outage. */
export type PresentTrouble = {
  readonly kind: keyof typeof troubleWords;
  /** The probes that are down, if others of the target are not. */
  readonly alone?: string;
  /** Unix ms. */
  readonly since: number;
  readonly outage?: Outage;
};

const conditions = ['bad', 'unseen', 'planned', 'good'] as const;

/** The present condition of a watch; conditions are listed worst first. */
export type Present = ReturnType<typeof presentCondition>;

type Seen = {
  readonly outages: readonly Outage[];
  readonly deepRun: NewestRun | undefined;
  /** Returns whether any slot was good. */
  readonly isProven: boolean;
};

/** Returns the present condition of a watch: planned work hides silence, silence hides earlier observations. */
export function presentCondition(
  { target }: WatchId,
  { newestRuns, blindSince }: WatchFacts,
  { outages, deepRun, isProven }: Seen,
  { maintenance }: ReportedPlan,
  now: number,
) {
  const windows = maintenance.flatMap((window) => (window.target === target ? (window.schedule ?? []) : []));
  const until = maintenanceEnd(windows, now);
  const [lastLook, unseen] = [newestInstant(newestRuns), blindSince ?? silentSince(newestRuns, now)];
  const troubles = listTroubles(outages, deepRun, newestRuns);
  const isSeen = lastLook !== undefined && unseen === undefined;
  const seen = troubles.length > 0 ? 'bad' : isProven ? 'good' : 'unseen';
  const condition: (typeof conditions)[number] = until !== undefined ? 'planned' : isSeen ? seen : 'unseen';
  return {
    condition,
    /** Worst first. */
    troubles,
    /** Planned instant of the newest slot in which the target was probed, Unix ms. */
    lastLook,
    /** The same instant, if the target has not been probed for two periods since; or when its monitor became blind. */
    unseenSince: unseen,
    /** The end of planned work, Unix ms. */
    plannedUntil: until,
  };
}

function listTroubles(
  outages: readonly Outage[],
  deepRun: NewestRun | undefined,
  newestRuns: readonly NewestRun[],
): PresentTrouble[] {
  const open = outages
    .filter(({ isOpen }) => isOpen)
    .map((outage): PresentTrouble => {
      const { indicator, begin } = outage.incident;
      const alone = indicator === 'availability' ? findAlone(outage, newestRuns) : undefined;
      return { kind: indicator, since: begin, outage, ...(alone !== undefined && { alone }) };
    });
  const red = isRed(deepRun) ? [{ kind: 'deep-run' as const, since: deepRun.scheduledAt }] : [];
  return [...open, ...red].toSorted((a, b) => severity(a) - severity(b) || a.since - b.since);
}

/** Returns the probes of an outage in words, if another one of its target has been answered since. */
function findAlone({ incident }: Outage, newestRuns: readonly NewestRun[]): string | undefined {
  const { broken = [], begin } = incident;
  const isAnswered = newestRuns.some(
    ({ series: { probe, operation }, scheduledAt, outcome, failure }) =>
      scheduledAt >= begin &&
      !broken.includes(`${probe}/${operation}`) &&
      (outcome !== 'failed' || failure?.phase === 'contract'),
  );
  return isAnswered && broken.length > 0 ? listSome(broken, mostNamed) : undefined;
}

function severity({ kind }: PresentTrouble): number {
  return Object.keys(troubleWords).indexOf(kind);
}

type Shown = { readonly watch: WatchId; readonly present: Present };

/** Sorts views by their present condition, the worst first; equal ones keep their order. */
export function worstFirst<View extends Shown>(watches: readonly View[]): View[] {
  const rank = ({ present: { condition, troubles } }: Shown): number =>
    10 * conditions.indexOf(condition) + (troubles[0] ? severity(troubles[0]) : 9);
  return watches.toSorted((a, b) => rank(a) - rank(b));
}

const longestName = 60;
const mostNamed = 2;

/** `1 of 3 targets is failing: testnet serves wrong candles`; `Nothing wrong now` only if all of them were seen and are well. */
export function presentTitle(watches: readonly Shown[], now: number): string {
  const having = (condition: Present['condition']): Shown[] =>
    watches.filter(({ present }) => present.condition === condition);
  const [bad, unseen, planned] = [having('bad'), having('unseen'), having('planned')];
  if (bad.length > 0) {
    const [failing, all] = [bad, watches].map((some) => new Set(some.map(({ watch }) => watch.target)).size);
    const count =
      all === 1 ? 'Failing now' : `${failing} of ${all} targets ${failing === 1 ? 'is' : 'are'} failing`;
    return `${count}: ${namesText(bad.map(({ watch, present }) => `${clip(watch.target, longestName)} ${verbText(present.troubles[0])}`))}`;
  }
  if (watches.length === 0) return 'Nothing is watched yet';
  if (unseen.length === watches.length) {
    const newest = Math.max(...watches.map(({ present }) => present.lastLook ?? 0));
    return newest > 0 ? `State unknown: no probe for ${durationText(now - newest)}` : 'State unknown';
  }
  if (unseen.length > 0) return `Nothing known to be wrong; ${unseenText(unseen, watches)} not seen now`;
  const where = namesText(planned.map(({ watch }) => clip(watch.target, longestName)));
  return planned.length > 0 ? `Nothing wrong now, planned work at ${where}` : 'Nothing wrong now';
}

/** `1 of 3 targets is`; `mainnet from syd1 is`, if each target is seen from somewhere. */
function unseenText(unseen: readonly Shown[], watches: readonly Shown[]): string {
  const seen = new Set(watches.filter((each) => !unseen.includes(each)).map(({ watch }) => watch.target));
  const [lost, all] = [unseen, watches].map((some) => new Set(some.map(({ watch }) => watch.target)));
  const gone = [...(lost ?? [])].filter((target) => !seen.has(target)).length;
  const words =
    gone > 0
      ? `${gone} of ${plural(all?.size ?? 0, 'target')}`
      : namesText(unseen.map(({ watch }) => clip(watchName(watch), longestName)));
  return `${words} ${(gone || unseen.length) === 1 ? 'is' : 'are'}`;
}

/** Returns a trouble as a predicate of its target: `serves wrong candles`. */
export function verbText(trouble: PresentTrouble | undefined): string {
  if (trouble?.alone !== undefined) return `does not answer ${trouble.alone}`;
  return trouble ? troubleWords[trouble.kind][0] : '';
}

/** Returns a trouble as a noun: `wrong candles`. */
export function nounText({ kind, alone }: PresentTrouble): string {
  return alone === undefined ? troubleWords[kind][1] : `no answer to ${alone}`;
}

function namesText(names: readonly string[]): string {
  return listSome([...new Set(names)], mostNamed);
}

/** `wrong candles, last probe 4 min ago`: the present condition in words. */
export function presentText(
  { condition, troubles, lastLook, unseenSince: unseen, ...rest }: Present,
  now: number,
): string {
  const ago =
    lastLook === undefined ? 'no probe yet' : `last probe ${durationText(Math.max(0, now - lastLook))} ago`;
  switch (condition) {
    case 'planned':
      return `planned work until ${untilText(rest.plannedUntil ?? now, now)}, ${ago}`;
    case 'unseen':
      return unseen === undefined ? `not known, ${ago}` : `not seen since ${instantText(unseen)} UTC, ${ago}`;
    case 'bad':
      return `${troubles.map(nounText).join(', ')}, ${ago}`;
    case 'good':
      return `nothing wrong, ${ago}`;
  }
}

/** `02:55 UTC`, with its date unless that is the day of `now`. */
export function untilText(until: number, now: number): string {
  const text = instantText(until);
  return `${dateText(until) === dateText(now) ? text.slice(-5) : text} UTC`;
}
