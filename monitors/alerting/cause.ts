import { type Indicator, indicators, type ProbeFailure } from '../results/probe-record.ts';
import type { Json } from '../results/results-store.ts';

/** Sources of alerts that belong to no objective. */
export type NoticeKind =
  | 'coverage'
  | 'clock'
  | 'disk'
  | 'folder'
  | 'slow-disk'
  | 'exhaustion'
  | 'certificate'
  | 'restatement'
  | 'vanished'
  | 'network-reset'
  | 'foreign-use'
  | 'double-charge'
  | 'counters'
  | 'reset-moved'
  | 'limit-changed'
  | 'sink'
  | 'planned-work'
  | 'retries';

/** The source of an alert: an objective's indicator, or another watched fact. */
export type Source = Indicator | NoticeKind;

/** `page` if it needs a person at once. */
export type Severity = 'page' | 'ticket';

/** A target, the account of a key by its name, a sink, or the monitor of a location itself. */
export type Subject =
  | { readonly target: string }
  | { readonly account: string }
  | { readonly sink: string }
  | { readonly monitor: string };

/** Names one symptom: a source at a subject. */
export type About = { readonly source: Source; readonly subject: Subject };

/** The long window of a pair that fires, which names the pair, such as `1h`: its slots, and the bad ones of them. */
export type FiringWindow = { readonly pair: string; readonly bad: number; readonly slots: number };

/** Fields of a message beside its text. */
export type AlertFacts = {
  readonly objective?: number;
  /** The limit of latency or freshness, in ms. */
  readonly under?: number;
  /** The pairs of windows that fire, and what their long ones hold. */
  readonly windows?: readonly FiringWindow[];
  readonly incident?: string;
  /** The address of what to do, if the config has one. */
  readonly runbook?: string;
  /** The first bad request: an alert begins later, with the slots that fire it. */
  readonly began?: string;
  readonly failures?: readonly ProbeFailure[];
  /** Broken rules that the alert has not named before. */
  readonly rules?: readonly string[];
};

/** Short outages before an alert, the present one included: since when (Unix ms), and the ms of those that are over. */
export type Scattered = { readonly number: number; readonly since: number; readonly total: number };

/** A condition that holds for a time, as a source sees it now; `holds` is undefined while it cannot be determined. */
export type Condition = About & {
  readonly holds: boolean | undefined;
  readonly severity: Severity;
  /** Shared by all that fail alike: they may be one cause. */
  readonly family: string;
  /** When it began, if that was before it could be seen, and the first proof of its end; Unix ms. */
  readonly began?: number;
  readonly ended?: number;
  /** When it was last known not to hold, Unix ms: probes are rare, and it may have begun at once after that. */
  readonly lastGood?: number | undefined;
  /** Words and facts as they are at an instant (Unix ms); requested only as a message is sent. */
  readonly words: (now: number) => string;
  readonly facts?: (now: number) => AlertFacts;
  readonly incident?: string | undefined;
  /** Names the details that it is about; those that are added later are a change. */
  readonly marks?: readonly string[];
  /** For an end: a new beginning would be a relapse, however late it comes, since its budget burns. */
  readonly mayReturn?: boolean;
  /** True for one bad slot after others like it: counted, and only said if a second one follows. */
  readonly isShort?: boolean;
  /** Outages so far, if they were short and scattered over a long time: it flaps from the beginning. */
  readonly scattered?: Scattered | undefined;
  /** Ms between reminders, if they do not follow the severity. */
  readonly reminder?: number;
};

/** Something that happened, `count` times at once, and has no end. */
export type CountedEvent = About & {
  readonly family: string;
  readonly count: number;
  readonly incident?: string;
  /** True if it is a message at once, although its alert stands. */
  readonly isNews?: boolean;
  /** Words it with its total count. */
  readonly words: (count: number) => string;
};

/** The beginning of marks for an outage that outlived planned work. */
export const workMark = 'work ';

/** The family of all that our own host, network or process keeps us from seeing. */
export const ownFamily = 'own';

/** Returns the family of all that follows from a key's quota. */
export function quotaFamily(account: string): string {
  return `quota ${account}`;
}

/** Returns the name of a symptom, the same each time that it comes. */
export function symptomKey({ source, subject }: About): string {
  return JSON.stringify([source, subject]);
}

/** Returns the name of a target, an account or a sink, or `the monitor`. */
export function subjectName(subject: Subject): string {
  if ('monitor' in subject) return 'the monitor';
  if ('sink' in subject) return subject.sink;
  return 'target' in subject ? subject.target : subject.account;
}

/** Returns the identifier that receivers of an alert know: what was wrong first, where, and since when, Unix ms. */
export function alertId({ source, subject }: About, location: string, since: number): string {
  return ['alert', subjectName(subject), source, location, since]
    .map((part) => encodeURIComponent(part))
    .join('/');
}

/** Returns whether an objective is the source. */
export function isIndicator(source: Source): source is Indicator {
  return (indicators as readonly string[]).includes(source);
}

/** Sources whose conditions are all known at every tick: what none of them speaks of is not watched any more. */
const lasting: readonly Source[] = [
  ...(['retries', 'coverage', 'clock', 'exhaustion', 'certificate', 'sink', 'folder', 'slow-disk'] as const),
  'planned-work',
];

/** Returns whether a source speaks of all its symptoms at every tick. */
export function isLasting(source: Source): boolean {
  return isIndicator(source) || lasting.includes(source);
}

/** Returns whether a value that the store kept is an object. */
export function isObject(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Removes absent fields, so that the value equals what is read back from JSON. */
export function toJson(value: object): { readonly [name: string]: Json } {
  return JSON.parse(JSON.stringify(value));
}
