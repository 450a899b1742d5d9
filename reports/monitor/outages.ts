import type { IncidentRecord } from '../../results/results-store.ts';

/** How long something was bad for certain, and at most, in ms: what was between two looks nobody saw. */
export type Downtime = { readonly least: number; readonly most: number };

/** An incident with the time it took; `most` is absent where no good slot was seen before it. */
export type Outage = {
  readonly incident: IncidentRecord;
  readonly least: number;
  readonly most?: number;
  readonly isOpen: boolean;
};

export function outageOf(incident: IncidentRecord, now: number): Outage {
  const { lastGood, begin, lastBad, end } = incident;
  const least = lastBad - begin;
  const most = lastGood === undefined ? undefined : (end ?? now) - lastGood;
  return { incident, least, most, isOpen: end === undefined };
}

/** Newest first; those of an instant by target, location and indicator, so that no order of the store shows. */
export function outagesOf(incidents: readonly IncidentRecord[], now: number): Outage[] {
  const place = ({ target, location, indicator, id }: IncidentRecord): string =>
    JSON.stringify([target, location, indicator, id]);
  return incidents
    .toSorted((a, b) => b.begin - a.begin || (place(a) < place(b) ? -1 : 1))
    .map((each) => outageOf(each, now));
}

/** Time without answers since `from`: what lies before is cut off, and no moment counts twice. */
export function downtimeOf(outages: readonly Outage[], from: number, now: number): Downtime {
  let [least, most, counted] = [0, 0, from];
  const own = outages.filter(({ incident }) => incident.indicator === 'availability');
  for (const { incident } of own.toSorted((a, b) => a.incident.begin - b.incident.begin)) {
    const { lastGood = counted, begin, lastBad, end = now } = incident;
    least += Math.max(0, lastBad - Math.max(from, begin));
    most += Math.max(0, end - Math.max(counted, lastGood));
    counted = Math.max(counted, end);
  }
  return { least, most: Math.max(least, most) };
}
