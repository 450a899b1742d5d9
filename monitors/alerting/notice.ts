import { type AlertMessage, type Change, formatSpan, type NoticeKind, type Severity } from './message.ts';

/** A target, the account of a key by its name, or the monitor of a location itself. */
export type Subject =
  | { readonly target: string }
  | { readonly account: string }
  | { readonly monitor: string };

/** A condition that holds for a time; `holds` is undefined while it cannot be determined. */
export type NoticeCondition = {
  readonly notice: NoticeKind;
  readonly subject: Subject;
  readonly holds: boolean | undefined;
  readonly severity: Severity;
  readonly words: string;
  /** When it began, if that was before it could be seen; Unix ms. */
  readonly began?: number;
};

/** Something that happened, `count` times at once, and has no end. */
export type NoticeOccurrence = {
  readonly notice: NoticeKind;
  readonly subject: Subject;
  readonly count: number;
  /** Words the notice with its total count. */
  readonly words: (count: number) => string;
};

/** An open notice; plain JSON, kept over a restart. Times in Unix ms. */
export type OpenNotice = {
  readonly notice: NoticeKind;
  readonly subject: Subject;
  readonly location: string;
  readonly since: number;
  readonly severity: Severity;
  readonly words: string;
  /** When it was last reported, and how often again. */
  readonly reported: number;
  readonly reminders: number;
  /** The number of occurrences since the last report. */
  readonly more?: number;
  /** The number of occurrences since the notice began, as a page counts it. */
  readonly inAll?: number;
  /** When it began, if that was before it was reported. */
  readonly began?: number;
  /** Ms by which the clock was set since it was reported. */
  readonly moved?: number;
};

/** Returns the name of a notice and its subject, unique among all. */
export function noticeKey({ notice, subject }: Pick<OpenNotice, 'notice' | 'subject'>): string {
  return JSON.stringify([notice, subject]);
}

/** Returns the message about a notice's change; its id is equal in every process that reports the change. */
export function noticeMessage(noticed: OpenNotice, change: Change, now: number): AlertMessage {
  const { notice, subject, location, since, severity, reminders } = noticed;
  const name = 'monitor' in subject ? 'the monitor' : 'target' in subject ? subject.target : subject.account;
  const parts = ['alert', name, notice, location, since, change, change === 'reminder' ? reminders : 0];
  return {
    id: parts.map((part) => encodeURIComponent(part)).join('/'),
    kind: change,
    at: new Date(now).toISOString(),
    location,
    text: formatNotice(noticed, change, now),
    ...('monitor' in subject ? {} : subject),
    notice,
    severity,
    since: new Date(since).toISOString(),
  };
}

function formatEnding(notice: NoticeKind, subject: Subject): string {
  if (notice === 'clock' && 'monitor' in subject) return 'its clock agrees with the targets again';
  return endings[notice] ?? 'over';
}

/** Texts for the end of a condition. */
const endings: Partial<Record<NoticeKind, string>> = {
  coverage: 'judged again',
  clock: 'its Date is the time again',
  disk: 'its disk has room again',
  exhaustion: 'the quota lasts until its reset again',
};

function formatNotice(
  { notice, subject, location, since, severity, words, more, inAll, began = since, moved = 0 }: OpenNotice,
  change: Change,
  now: number,
): string {
  const where = `${formatSubject(subject)} ${location}`;
  const age = formatSpan(now - began - moved);
  switch (change) {
    case 'fired':
    case 'worsened':
    case 'spread':
      return `${severity}: ${where}: ${words}`;
    case 'reminder':
      return more === undefined
        ? `${severity}: ${where}, for ${age} now: ${words}`
        : `${severity}: ${where}, again: ${words}${inAll === undefined ? '' : `; ${inAll} in all`}`;
    case 'cleared':
      return `cleared: ${where}: ${formatEnding(notice, subject)} after ${age}`;
    case 'withdrawn':
      return `withdrawn: ${where} is not watched any more; the alert had stood for ${age}`;
  }
}

function formatSubject(subject: Subject): string {
  if ('monitor' in subject) return 'the monitor at';
  return 'target' in subject ? `${subject.target} from` : `key ${subject.account} from`;
}
