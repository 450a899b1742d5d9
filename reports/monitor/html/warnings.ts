import { thousands } from '../../../contract/reading/thousands.ts';
import { type Markup, markup } from '../../words/markup.ts';
import { readNumber, readText } from '../event-kinds.ts';
import { dateText } from '../format.ts';
import type { KeyView } from '../quota.ts';
import { day } from '../spans.ts';
import type { MonitorView } from '../view.ts';
import type { WatchView } from '../watch-view.ts';
import { watchName } from '../watches.ts';
import { beyondText } from '../wording.ts';

/** More would hide the verdict. */
const mostListed = 8;

/** Somebody has to renew a certificate, and may need a week for it. */
const soon = 14 * day;

/** Renders what must be seen without scrolling beside what is wrong now: a wrong clock, and coming trouble. */
export function warnings(view: MonitorView): Markup[] {
  const { now, watches, keys } = view;
  const reported = [
    ...wrongClocks(view),
    ...watches.flatMap((watch) => certificateWarning(watch, now)),
    ...keys.flatMap(keyWarning),
  ];
  return reported.slice(0, mostListed).map((text) => markup`<p class="warning">${text}</p>`);
}

/** Monitors whose own clock is known to be wrong: whatever else they say is dated by it. */
function wrongClocks({ others }: MonitorView): string[] {
  const clockNotices = others.filter(
    (other) => other.target === undefined && readText(other, 'notice') === 'clock',
  );
  const newest = new Map(
    clockNotices.toReversed().map((eventRecord) => [readText(eventRecord, 'location'), eventRecord]),
  );
  return [...newest.values()].flatMap((eventRecord) =>
    eventRecord.kind === 'alert-fired' || eventRecord.kind === 'alert-reminder'
      ? (readText(eventRecord, 'words') ?? [])
      : [],
  );
}

function certificateWarning({ watch, certificate }: WatchView, now: number): string[] {
  if (!certificate || certificate.end - now > soon) return [];
  const is = certificate.end <= now ? 'ended' : 'ends';
  return [`The certificate that ${watchName(watch)} was served ${is} on ${dateText(certificate.end)}.`];
}

function keyWarning({ key, forecast, events, month, newest, isOver }: KeyView): string[] {
  const isSpent = newest !== undefined && !isOver && newest.remaining === 0 && newest.additional > 0;
  const end = isSpent ? undefined : (forecast?.reserveAt ?? forecast?.exhaustedAt);
  const foreign = events
    .filter(({ kind, at }) => kind === 'foreign-use' && month && at >= month.begin)
    .reduce((sum, event) => sum + (readNumber(event, 'n') ?? 0), 0);
  const parts = [
    ...(isSpent ? [`is ${beyondText(newest.additional)}`] : []),
    ...(end === undefined ? [] : [`will be down to its reserve on ${dateText(end)} at this pace`]),
    ...(foreign > 0 ? [`was charged ${thousands(foreign)} requests this month that we did not send`] : []),
  ];
  return parts.length > 0 ? [`The key ${key} ${parts.join(' and ')}.`] : [];
}
