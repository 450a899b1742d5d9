import { type AlertMessage, type Change, type NoticeKind, type Severity, spanOf } from './message.ts';

/** A target, or the account of a key by its name. */
export type Subject = { readonly target: string } | { readonly account: string };

/** Something that holds for a time; `holds` is undefined where nobody can say at present. */
export type NoticeCondition = {
  readonly notice: NoticeKind;
  readonly subject: Subject;
  readonly holds: boolean | undefined;
  readonly severity: Severity;
  readonly words: string;
};

/** Something that happened, `count` times at once, and has no end. */
export type NoticeHappening = {
  readonly notice: NoticeKind;
  readonly subject: Subject;
  readonly count: number;
  /** Of so many in all. */
  readonly words: (count: number) => string;
};

/** A notice that stands; plain JSON, kept over a restart. Times in Unix ms. */
export type Noticed = {
  readonly notice: NoticeKind;
  readonly subject: Subject;
  readonly location: string;
  readonly since: number;
  readonly severity: Severity;
  readonly words: string;
  /** When it was last reported, and how often again. */
  readonly reported: number;
  readonly reminders: number;
  /** Of something that happened: how often since it was last reported. */
  readonly more?: number;
  /** How often since the notice began, as a page counts it. */
  readonly inAll?: number;
};

export function nameOf({ notice, subject }: Pick<Noticed, 'notice' | 'subject'>): string {
  return JSON.stringify([notice, subject]);
}

/** The notice's change in words and facts; its id is the same for the same change, whichever process tells it. */
export function noticeMessage(noticed: Noticed, change: Change, now: number): AlertMessage {
  const { notice, subject, location, since, severity, reminders } = noticed;
  const name = 'target' in subject ? subject.target : subject.account;
  const parts = ['alert', name, notice, location, since, change, change === 'reminder' ? reminders : 0];
  return {
    id: parts.map((each) => encodeURIComponent(each)).join('/'),
    kind: change,
    at: new Date(now).toISOString(),
    location,
    text: textOf(noticed, change, now),
    ...subject,
    notice,
    severity,
    since: new Date(since).toISOString(),
  };
}

/** What is said when the condition has ended. */
const endings: Partial<Record<NoticeKind, string>> = {
  coverage: 'judged again',
  clock: 'its Date is the time again',
  exhaustion: 'the quota lasts until its reset again',
};

function textOf(
  { notice, subject, location, since, severity, words, more, inAll }: Noticed,
  change: Change,
  now: number,
): string {
  const who = 'target' in subject ? subject.target : `key ${subject.account}`;
  const where = `${who} from ${location}`;
  const age = spanOf(now - since);
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
      return `cleared: ${where}: ${endings[notice] ?? 'over'} after ${age}`;
    case 'withdrawn':
      return `withdrawn: ${where} is not watched any more; the alert had stood for ${age}`;
  }
}
