import { noticeAdvice } from './advice.ts';
import { type Alert, activeTouches, type MessageKind, type Touch } from './alert.ts';
import { upAgain } from './burn-words.ts';
import { type AlertFacts, isIndicator, type NoticeKind, ownFamily, type Source, workMark } from './cause.ts';
import { formatMinute } from './coverage-conditions.ts';

/** The words and facts of a symptom as its source has them now; undefined if it speaks of it no more. */
export type Describe = (touch: Touch) => { readonly words: string; readonly facts?: AlertFacts } | undefined;

/** Names of one kind that a line lists before it counts the rest. */
const mostNames = 12;

/** The order in which symptoms of one alert lead: what is seen first by a user. */
const order: readonly Source[] = [
  'availability',
  'correctness',
  'freshness',
  'latency',
  'exhaustion',
  'coverage',
];

/** Returns the symptom that an alert is named after: the gravest that lasts, or the last of those that are over. */
export function leadTouch(alert: Alert, now: number): Touch | undefined {
  const active = activeTouches(alert, now);
  const lasting = Object.values(alert.touches).filter(({ happened }) => happened === undefined);
  const over = lasting.length > 0 ? lasting : Object.values(alert.touches);
  const isOver = alert.state === 'resolved' || active.length === 0;
  const all = isOver ? over : active;
  const rank = ({ severity, source }: Touch): number =>
    (severity === 'page' ? 0 : 100) + (order.indexOf(source) + 1 || order.length + 1);
  return all.toSorted((one, other) => rank(one) - rank(other) || one.began - other.began)[0];
}

/** Words an alert as it is at `now` (Unix ms) for a message: the first line says what and where. */
export function formatAlert(alert: Alert, kind: MessageKind, describe: Describe, now: number): string {
  const lead = leadTouch(alert, now);
  if (!lead) return `${kind}: the monitor at ${alert.location}`;
  const where = formatPlace(alert, lead, now);
  const age = formatSpan(now - alert.outages.first);
  if (kind === 'resolved') return `resolved: ${where}${formatEnding(alert, lead, now)}`;
  if (kind === 'acknowledged') return `acknowledged: ${where}: ${alert.acknowledgement ?? ''}`;
  const { severity } = alert;
  const listed = formatTargets(alert, lead, now);
  const words = withLines(formatCause(alert, lead, describe), [
    ...listed,
    ...(kind === 'reminder' ? [] : formatOthers(alert, lead, describe, now)),
  ]);
  const news = lead.named === 'begun' ? formatNews(alert, lead) : [];
  switch (kind) {
    case 'fired':
      return `${severity}: ${where}: ${words}`;
    case 'changed':
      return `${severity}: ${where}, changed after ${age}: ${[...news, words].join('\n')}`;
    case 'reminder':
      return `${severity}: ${where}, ${lead.happened ? 'again' : `for ${age} now`}: ${words}`;
  }
  return kind;
}

/** Lists the targets of symptoms, each once. */
export function listTargets(touches: readonly Touch[]): string[] {
  return [...new Set(touches.flatMap(({ subject }) => ('target' in subject ? [subject.target] : [])))];
}

function formatPlace(alert: Alert, { source, subject, family }: Touch, now: number): string {
  const { location } = alert;
  const active = activeTouches(alert, now);
  const targets = listTargets(active.length > 0 ? active : Object.values(alert.touches));
  if ('monitor' in subject || (family === ownFamily && targets.length > 1))
    return `the monitor at ${location}`;
  if ('sink' in subject) return `sink ${subject.sink} of ${location}`;
  if ('account' in subject) return `key ${subject.account} from ${location}`;
  if (targets.length > 1) return `${targets.length} targets from ${location}`;
  return `${isIndicator(source) ? `${source} of ` : ''}${subject.target} from ${location}`;
}

/** Returns the words of the cause; of one that flaps, first that it does. */
function formatCause(alert: Alert, lead: Touch, describe: Describe): string {
  const { words = '', facts } = describe(lead) ?? {};
  const { happened, source } = lead;
  const total =
    happened && happened.inAll > happened.more && happened.more > 0 ? `; ${happened.inAll} in all` : '';
  const advice = isIndicator(source) ? undefined : noticeAdvice[source];
  const whole = `${happened?.words ?? (words || `since ${formatMinute(lead.began)}`)}${total}`;
  const described = advice === undefined ? whole : `${whole}\ndo: ${advice}`;
  if (alert.state !== 'flapping') return described;
  return `${formatFlapping(alert, facts)}\n${described}`;
}

/** Above this share of bad slots nobody would name the share first: `4 % of slots fail`, but `it flaps` at 40 %. */
const mostShare = 0.3;
/** Ms of which a share is named: for less, the outages of the last minutes say more. */
const leastLengthMs = 2 * 3_600_000;

function formatFlapping({ outages }: Alert, facts: AlertFacts | undefined): string {
  const { number, first, starts } = outages;
  const length = Math.max(0, (starts.at(-1) ?? first) - first);
  const [widest] = (facts?.windows ?? []).toSorted((one, other) => other.slots - one.slots);
  const share = widest && widest.slots > 0 ? widest.bad / widest.slots : 1;
  return share <= mostShare && length >= leastLengthMs
    ? `${formatShare(share)} of slots fail since ${formatMinute(first)}, ${number} short outages`
    : `it flaps: ${number} outages in ${formatSpan(length)}`;
}

function formatShare(share: number): string {
  const percent = 100 * share;
  return `${percent >= 10 ? Math.round(percent) : Number(percent.toPrecision(1))} %`;
}

function formatTargets(alert: Alert, lead: Touch, now: number): string[] {
  const active = activeTouches(alert, now);
  const targets = listTargets(active);
  if (targets.length < 2 && !('account' in lead.subject && targets.length > 0)) return [];
  const gone = listTargets(Object.values(alert.touches)).filter((name) => !targets.includes(name));
  return [`targets: ${listNames(targets)}`, ...(gone.length > 0 ? [`good again: ${listNames(gone)}`] : [])];
}

/** Returns a line for each other source that the alert touches, of the same target or of others. */
function formatOthers(alert: Alert, lead: Touch, describe: Describe, now: number): string[] {
  const others = activeTouches(alert, now).filter(
    ({ source, family }) => source !== lead.source || family !== lead.family,
  );
  const firsts = [
    ...new Map(others.toReversed().map((touch) => [`${touch.source} ${touch.family}`, touch])).values(),
  ].toReversed();
  return firsts.slice(0, 3).map((touch) => {
    const [line = ''] = (touch.happened?.words ?? describe(touch)?.words ?? '').split('\n');
    const where = 'target' in touch.subject ? ` of ${touch.subject.target}` : '';
    return `also: ${isIndicator(touch.source) ? `${touch.source}${where}: ` : ''}${line}`;
  });
}

/** Returns what no message has said yet, in one line; nothing if the cause itself is new. */
function formatNews({ touches }: Alert, lead: Touch): string[] {
  const all = Object.values(touches);
  const marks = all.flatMap(({ source, fresh = [] }) => fresh.map((mark) => ({ source, mark })));
  const rules = marks.filter(({ source, mark }) => source === 'correctness' && !mark.startsWith(workMark));
  const happened = all.filter((touch) => touch !== lead && touch.happened?.isNew === true);
  const lasting = all.filter((touch) => touch.happened === undefined);
  const known = listTargets(lasting.filter(({ named }) => named === 'begun'));
  const bad = listTargets(lasting.filter(({ end }) => end === undefined));
  const joined = bad.filter((target) => !known.includes(target));
  const left = known.filter((target) => !bad.includes(target));
  const parts = [
    ...(rules.length > 0 ? [`it breaks ${rules.map(({ mark }) => mark).join(', ')} as well`] : []),
    ...(marks.some(({ mark }) => mark.startsWith(workMark)) ? ['still bad after planned work'] : []),
    ...happened.flatMap((touch) => touch.happened?.words ?? []),
    ...(joined.length > 0 ? [`${joined.length} more: ${listNames(joined)}`] : []),
    ...(left.length > 0 ? [`good again: ${listNames(left)}`] : []),
  ];
  return parts.length > 0 ? [parts.join('; ')] : [];
}

function formatEnding(alert: Alert, lead: Touch, now: number): string {
  const { outages, quiet = now, isWithdrawn, hasFlapped } = alert;
  const { number, first, total, longest } = outages;
  const age = formatSpan(now - first);
  if (isWithdrawn) return ` is not watched any more; the alert had stood for ${age}`;
  if (lead.happened)
    return `: no more for ${formatSpan(now - (lead.happened.until - dayMs))}; ${lead.happened.inAll} in all`;
  const { source } = lead;
  const ended = isIndicator(source) ? upAgain[source] : endingWords(lead);
  const seen = isIndicator(source) ? formatLength(longest) : formatSpan(longest);
  if (number < 2) return `: ${ended} after ${seen}`;
  const last = lead.end === undefined ? quiet : lead.end;
  const lasted = formatLength(Math.max(0, last - lead.began));
  return hasFlapped || number > 4
    ? `: ${ended}; it flapped since ${formatMinute(first)}: ${number} outages, ${formatLength(total)} in all`
    : `: ${ended} after ${lasted}; it was outage ${number} since ${formatMinute(first)}`;
}

const dayMs = 86_400_000;

function endingWords({ source, subject }: Touch): string {
  if (source === 'clock' && 'monitor' in subject) return 'its clock agrees with the targets again';
  return (isIndicator(source) ? undefined : endings[source]) ?? 'over';
}

/** Texts for the end of a condition. */
const endings: Partial<Record<NoticeKind, string>> = {
  coverage: 'judged again',
  clock: 'its Date is the time again',
  disk: 'its disk has room again',
  folder: 'its data folder is in its place again',
  'slow-disk': 'its disk is fast again',
  exhaustion: 'the quota lasts until its reset again',
  certificate: 'its certificate was renewed,',
  sink: 'it takes messages again',
  'planned-work': 'planned work is over',
  retries: 'first attempts succeed again',
};

/** Lists the first names, and counts the rest. */
export function listNames(names: readonly string[]): string {
  const more = names.length - mostNames;
  return `${names.slice(0, mostNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Inserts lines after the first. */
function withLines(words: string, lines: readonly string[]): string {
  const [first = '', ...rest] = words.split('\n');
  return [first, ...lines, ...rest].join('\n');
}

/** Returns a length in ms in words: `4 min`, `3 h`. */
function formatSpan(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (ms > 0 && minutes < 2) return formatLength(ms);
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
