import { thousands } from '../../../contract/reading/thousands.ts';
import { type Markup, markup } from '../../words/markup.ts';
import { readNumber, readText } from '../event-kinds.ts';
import { dateText, durationText, instantText } from '../format.ts';
import type { Outage } from '../outages.ts';
import type { KeyView } from '../quota.ts';
import { day, hour } from '../spans.ts';
import type { MonitorView } from '../view.ts';
import type { WatchView } from '../watch-view.ts';
import { deepRunText, isRed } from '../watch-view.ts';
import { watchName } from '../watches.ts';
import { beyondText } from '../wording.ts';

/** More would hide the verdict. */
const mostListed = 8;

/** Somebody has to renew a certificate, and may need a week for it. */
const soon = 14 * day;

/** Renders what must be seen without scrolling: silence, current failures and coming ones. */
export function warnings(view: MonitorView): Markup[] {
  const { outages, now, watches, keys } = view;
  const bad = outages.filter(({ isOpen }) => isOpen);
  const reported = [
    ...wrongClocks(view),
    ...silence(view),
    ...bad.map((each) => badNow(each, now)),
    ...watches.flatMap((each) => redRun(each, now)),
    ...watches.flatMap((each) => certificateWarning(each, now)),
    ...keys.flatMap(keyWarning),
  ];
  return reported.slice(0, mostListed).map((each) => markup`<p class="warning">${each}</p>`);
}

/** Monitors whose own clock is known to be wrong: whatever else they say is dated by it. */
function wrongClocks({ others }: MonitorView): string[] {
  const own = others.filter((each) => each.target === undefined && readText(each, 'notice') === 'clock');
  const newest = new Map(own.toReversed().map((each) => [readText(each, 'location'), each]));
  return [...newest.values()].flatMap((each) =>
    each.kind === 'alert-fired' || each.kind === 'alert-reminder' ? (readText(each, 'words') ?? []) : [],
  );
}

/** Describes a current failure; it may have ended if nothing has probed since. */
function badNow({ incident, unwatched }: Outage, now: number): string {
  const { target, location, indicator, begin, lastBad } = incident;
  const where = `The ${indicator} of ${target} from ${location}`;
  if (unwatched === undefined)
    return `${where} is bad since ${instantText(begin)} UTC, for ${durationText(now - begin)}.`;
  return `${where} was bad when it was last looked at, on ${instantText(lastBad)} UTC.`;
}

/** A report of a monitor that ended long ago must not look like one of today. */
function silence({ now, watches }: MonitorView): string[] {
  const looks = watches.flatMap(({ lastLook }) => lastLook ?? []);
  const newest = Math.max(...looks);
  if (looks.length === 0 || now - newest < 2 * hour) return [];
  return [`Nothing was looked at for the last ${durationText(now - newest)}.`];
}

/** Light probes judge a part of the musts: what a deep run found must not drown in their share. */
function redRun(view: WatchView, now: number): string[] {
  return isRed(view.deepRun) ? [`${watchName(view.watch)}: ${deepRunText(view, now)}`] : [];
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
    .reduce((sum, each) => sum + (readNumber(each, 'n') ?? 0), 0);
  const parts = [
    ...(isSpent ? [`is ${beyondText(newest.additional)}`] : []),
    ...(end === undefined ? [] : [`will be down to its reserve on ${dateText(end)} at this pace`]),
    ...(foreign > 0 ? [`was charged ${thousands(foreign)} requests this month that we did not send`] : []),
  ];
  return parts.length > 0 ? [`The key ${key} ${parts.join(' and ')}.`] : [];
}
