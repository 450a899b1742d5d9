import { type Indicator, indicators, type ProbeFailure } from '../results/probe-record.ts';
import type { Json } from '../results/results-store.ts';

const changes = [
  'fired',
  'worsened',
  'news',
  'recovered',
  'relapsed',
  'reminder',
  'acknowledged',
  'cleared',
  'withdrawn',
] as const;
export type Change = (typeof changes)[number];

/** Sources of alerts that belong to no objective. */
export type NoticeKind =
  | 'coverage'
  | 'clock'
  | 'disk'
  | 'exhaustion'
  | 'certificate'
  | 'restatement'
  | 'network-reset'
  | 'foreign-use'
  | 'limit-changed';

/** The source of an alert: an objective's indicator, or another watched fact. */
export type Source = Indicator | NoticeKind;

/** `page` if it needs a person at once. */
export type Severity = 'page' | 'ticket';

/** A target, the account of a key by its name, or the monitor of a location itself. */
export type Subject =
  | { readonly target: string }
  | { readonly account: string }
  | { readonly monitor: string };

/** Fields of a message beside its text. */
export type AlertFacts = {
  readonly objective?: number;
  /** The limit of latency or freshness, in ms. */
  readonly under?: number;
  /** The pairs of windows that fire, and what their long ones hold. */
  readonly windows?: readonly { readonly pair: string; readonly bad: number; readonly slots: number }[];
  readonly incident?: string;
  /** The first bad request: an alert begins later, with the slots that fire it. */
  readonly began?: string;
  readonly failures?: readonly ProbeFailure[];
  /** Broken rules that the alert has not named before. */
  readonly rules?: readonly string[];
};

/** A condition that holds for a time, as a source sees it now; `holds` is undefined while it cannot be determined. */
export type Condition = {
  readonly source: Source;
  readonly subject: Subject;
  readonly holds: boolean | undefined;
  readonly severity: Severity;
  readonly words: string;
  /** When it began, if that was before it could be seen; Unix ms. */
  readonly began?: number;
  /** Words for its end while the alert stays, such as `up again`, and how long it had lasted; absent while it lasts. */
  readonly over?: { readonly words: string; readonly after: number };
  /** Words for a new beginning while the alert stays. */
  readonly relapse?: string;
  /** Names the details that the alert is about; those that are added later are news. */
  readonly marks?: readonly string[];
  readonly formatNews?: (fresh: readonly string[]) => string;
  /** Ms between reminders, if they do not follow the severity. */
  readonly reminder?: number;
  readonly facts?: AlertFacts;
};

/** Something that happened, `count` times at once, and has no end. */
export type Occurrence = Pick<Condition, 'source' | 'subject' | 'facts'> & {
  readonly count: number;
  /** Ms between two messages, if many more are no news. */
  readonly every?: number;
  /** True if it is a message at once, although its alert stands. */
  readonly isNews?: boolean;
  /** Words the alert with its total count. */
  readonly words: (count: number) => string;
};

/** An open alert; plain JSON, kept over a restart. Times in Unix ms. */
export type OpenAlert = Pick<Condition, 'source' | 'subject' | 'words' | 'facts' | 'marks'> & {
  readonly location: string;
  /** When it fired, which names it; `moved`: ms by which the clock was set since. */
  readonly since: number;
  readonly moved?: number;
  readonly began: number;
  /** The highest so far. */
  readonly severity: Severity;
  /** True while it stays although what it is about is over. */
  readonly isOver?: boolean;
  readonly isAcknowledged?: boolean;
  /** Ms between reminders, if they do not follow the severity. */
  readonly every?: number;
  /** When it was last reported, how often it was reminded of, and the number of messages. */
  readonly reported: number;
  readonly reminders: number;
  readonly sent: number;
  /** Marks that the next reminder names; messages of news since it was last reminded of. */
  readonly untold?: readonly string[];
  readonly news?: number;
  /** Occurrences since the last report, and in all. */
  readonly more?: number;
  readonly inAll?: number;
};

/** A change of an alert, with the alert as it is then, or was until then. */
export type AlertChange = {
  readonly alert: OpenAlert;
  readonly change: Change;
  /** Words and facts of this message alone. */
  readonly words?: string;
  readonly fresh?: readonly string[];
  /** Its place among all messages about the same thing, from 1. */
  readonly number: number;
  /** The ids of messages of the alert whose place this one takes if they were not delivered. */
  readonly replaced: readonly string[];
};

/** Returns the name of an alert, the same each time that it fires. */
export function alertKey({ source, subject }: Pick<OpenAlert, 'source' | 'subject'>): string {
  return JSON.stringify([source, subject]);
}

/** Returns the name of a target, an account, or `the monitor`. */
export function subjectName(subject: Subject): string {
  return 'monitor' in subject ? 'the monitor' : 'target' in subject ? subject.target : subject.account;
}

/** Returns whether an objective is the source. */
export function isIndicator(source: Source): source is Indicator {
  return (indicators as readonly string[]).includes(source);
}

/** Removes absent fields, so that the value equals what is read back from JSON. */
export function toJson(value: object): { readonly [name: string]: Json } {
  return JSON.parse(JSON.stringify(value));
}
