import type { Indicator } from '../results/probe-record.ts';
import type { EventRecord } from '../results/results-store.ts';
import { noticeAdvice } from './advice.ts';
import {
  type AlertChange,
  type AlertFacts,
  type Change,
  isIndicator,
  type NoticeKind,
  type OpenAlert,
  type Severity,
  subjectName,
  toJson,
} from './alert.ts';

/** The message to a sink; instants in ISO 8601. Every field is made by us or a name from the configuration. */
export type AlertMessage = AlertFacts & {
  /** The same for every copy, so that the receiver can drop a second one. */
  readonly id: string;
  /** The same for all messages of one alert, from `fired` to `cleared`. */
  readonly alert?: string;
  /** Rises with each message about the same thing, over all its alerts. */
  readonly number?: number;
  readonly kind: Change | 'heartbeat' | 'test';
  readonly at: string;
  readonly location: string;
  readonly text: string;
  /** The address of the monitors' page. */
  readonly link?: string;
  readonly target?: string;
  /** Name of a key's account, of an alert about one. */
  readonly account?: string;
  /** The indicator whose budget burns; absent for a notice. */
  readonly indicator?: Indicator;
  readonly notice?: NoticeKind;
  readonly severity?: Severity;
  readonly since?: string;
  /** For a heartbeat: the time until which each target was judged, and since when it is not. */
  readonly targets?: readonly {
    readonly target: string;
    readonly lastJudged?: string;
    readonly blindSince?: string;
  }[];
};

/** Returns an id that is equal in every process that reports the same change of the same alert. */
export function messageId({ alert, change }: Pick<AlertChange, 'alert' | 'change'>): string {
  const counts: Partial<Record<Change, number>> = { fired: 0, worsened: 0, cleared: 0, withdrawn: 0 };
  const count = change === 'reminder' ? alert.reminders : (counts[change] ?? alert.sent);
  return `${alertName(alert)}/${change}/${count}`;
}

/** Returns the id of an alert from its beginning to its end. */
export function alertName({ source, subject, location, since }: OpenAlert): string {
  const parts = ['alert', subjectName(subject), source, location, since];
  return parts.map((part) => encodeURIComponent(part)).join('/');
}

/** An alert's change in words and facts. */
export function alertMessage(changed: AlertChange, now: number): AlertMessage {
  const { alert, change, fresh = [] } = changed;
  const { source, subject, location, since, severity, facts } = alert;
  return {
    id: messageId(changed),
    alert: alertName(alert),
    number: changed.number,
    kind: change,
    at: new Date(now).toISOString(),
    location,
    text: formatAlert(changed, now),
    ...('monitor' in subject ? {} : subject),
    ...(isIndicator(source) ? { indicator: source } : { notice: source }),
    severity,
    since: new Date(since).toISOString(),
    ...facts,
    ...(fresh.length > 0 && source === 'correctness' && { rules: fresh }),
  };
}

function formatAlert({ alert, change, words = alert.words }: AlertChange, now: number): string {
  const { source, severity, began, more } = alert;
  const where = formatPlace(alert);
  const age = formatSpan(now - began);
  const advice = isIndicator(source) ? undefined : noticeAdvice[source];
  const toDo = advice === undefined ? '' : `\ndo: ${advice}`;
  switch (change) {
    case 'fired':
      return `${severity}: ${where}: ${words}${toDo}`;
    case 'worsened':
      return `${severity}: ${where}, worse after ${age}: ${words}${toDo}`;
    case 'news':
      return `${severity}: ${where}, new after ${age}: ${words}${toDo}`;
    case 'relapsed':
      return `${severity}: ${where}: ${words}`;
    case 'reminder':
      return `${severity}: ${where}, ${more === undefined ? `for ${age} now` : 'again'}: ${words}${toDo}`;
    case 'recovered':
    case 'acknowledged':
      return `${change}: ${where}: ${words}`;
    case 'cleared':
      return `cleared: ${where}: ${formatEnding(alert)} after ${age}`;
    case 'withdrawn':
      return `withdrawn: ${where} is not watched any more; the alert had stood for ${age}`;
  }
  return source;
}

function formatPlace({ source, subject, location }: OpenAlert): string {
  if ('monitor' in subject) return `the monitor at ${location}`;
  if ('account' in subject) return `key ${subject.account} from ${location}`;
  return `${isIndicator(source) ? `${source} of ` : ''}${subject.target} from ${location}`;
}

function formatEnding({ source, subject }: OpenAlert): string {
  if (source === 'clock' && 'monitor' in subject) return 'its clock agrees with the targets again';
  return isIndicator(source) ? 'its budget no longer burns' : (endings[source] ?? 'over');
}

/** Texts for the end of a condition. */
const endings: Partial<Record<NoticeKind, string>> = {
  coverage: 'judged again',
  clock: 'its Date is the time again',
  disk: 'its disk has room again',
  exhaustion: 'the quota lasts until its reset again',
  certificate: 'its certificate was renewed,',
};

/** Returns the event that the store keeps of a message. */
export function messageEvent(
  { kind, target, text, at: _, ...detail }: AlertMessage,
  now: number,
): EventRecord {
  const where = target === undefined ? {} : { target };
  return { at: now, kind: `alert-${kind}`, ...where, detail: toJson({ ...detail, words: text }) };
}

/** In words, `ms` long. */
function formatSpan(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} d`;
}

/** Returns a length in ms in words, to the second: `4 min 10 s`. */
export function formatLength(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return '0 s';
  const shown = parts.slice(first, first + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ');
}
