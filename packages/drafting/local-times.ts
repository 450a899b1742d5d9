import { findOffset, readZone } from '@candleproof/document/spec/times';
import { readShownOffset } from './written-units.ts';

/** The zone of texts without an offset, and why; a question if nothing shows it. */
export type LocalTimes = {
  /** `UTC`, an offset such as `+05:30`, or an IANA name. */
  readonly zone: string;
  readonly evidence?: string;
  readonly question?: string;
};

/** Facts of an answer whose rows, or the times of whose URL, are text. */
export type SeenTimes = {
  readonly url: URL;
  readonly body: unknown;
  /** The texts of the rows' starts, oldest first, and the name of their value. */
  readonly texts: readonly string[];
  readonly name: string;
  /** Starts in Unix seconds, as if they were in UTC. */
  readonly starts: readonly number[];
  readonly step: number;
  readonly now?: number;
  /** Times of the URL that are counts, in Unix seconds. */
  readonly counted: readonly number[];
};

const day = 86_400;

/** Zones are whole hours from UTC, or else halves or quarters, and at most 14 hours. */
const [zoneSteps, farthest] = [[3600, 1800, 900] as const, 14 * 3600];

/** Returns whether a zone may be as many seconds from UTC. */
export function isOffset(seconds: number): boolean {
  return Math.abs(seconds) <= farthest && seconds % zoneSteps[2] === 0;
}

const zoneMember = /time_?zone|^tz$/i;

/** Returns the zone of the rows' times and of a URL's; undefined if there is no text without an offset. */
export function findLocalTimes(seen: SeenTimes): LocalTimes {
  const { texts, name, starts, step } = seen;
  const shown = readShownOffset(texts[0] ?? '');
  if (shown !== undefined) return { zone: shown, evidence: 'the offset of the rows' };
  const named = readNamedZone(seen);
  if (named) return named;
  if (/(utc|gmt)$/i.test(name)) return { zone: 'UTC', evidence: `by the name ${name}` };
  const moved = findShift(seen);
  if (moved) return moved;
  // Days without a time of day begin the same day in every zone.
  if (step >= day && starts.every((start) => start % day === 0))
    return { zone: 'UTC', evidence: 'the rows are days' };
  return { zone: 'UTC', question: describeOpenZone(name, texts[0] ?? '', starts) };
}

function readNamedZone({ url, body }: SeenTimes): LocalTimes | undefined {
  const given = [...url.searchParams].find(([key, zone]) => zoneMember.test(key) && readZone(zone));
  if (given) return { zone: given[1], evidence: `${given[0]} of the URL` };
  const member = findZoneMember(body, 0);
  return member && { zone: member.zone, evidence: `${member.name} of the answer` };
}

/** Levels and members of an envelope in which a zone is searched. */
const [deepest, mostMembers] = [4, 40];

function findZoneMember(
  value: unknown,
  depth: number,
): { readonly name: string; readonly zone: string } | undefined {
  if (typeof value !== 'object' || value === null || depth > deepest) return undefined;
  if (Array.isArray(value)) return value.length === 1 ? findZoneMember(value[0], depth + 1) : undefined;
  const entries = Object.entries(value).slice(0, mostMembers);
  const own = entries.find(
    ([name, zone]) => zoneMember.test(name.replace(/\W/g, '')) && typeof zone === 'string' && readZone(zone),
  );
  if (own) return { name: own[0], zone: String(own[1]) };
  for (const [, inner] of entries) {
    const found = findZoneMember(inner, depth + 1);
    if (found) return found;
  }
  return undefined;
}

/** Finds the offset that puts the newest row up to the answer, or the rows between the counted times of the URL. */
export function findShift({
  starts,
  step,
  now,
  counted = [],
}: Pick<SeenTimes, 'starts' | 'step'> & Partial<Pick<SeenTimes, 'now' | 'counted'>>): LocalTimes | undefined {
  const [first, last] = [starts[0], starts.at(-1)];
  if (first === undefined || last === undefined || !(step > 0) || step >= day) return undefined;
  const until = counted.length > 1 ? Math.max(...counted) : undefined;
  const end = Math.min(now ?? Number.POSITIVE_INFINITY, until ?? Number.POSITIVE_INFINITY);
  if (!Number.isFinite(end)) return undefined;
  // The newest row holds the end, or begins with it.
  if (last <= end && end < last + 1.5 * step)
    return { zone: 'UTC', evidence: 'the newest row reaches the answer' };
  const [least, most] = [last - end, last - end + step];
  const ahead = zoneSteps.map((each) => Math.ceil(least / each) * each).find((each) => each < most);
  if (ahead === undefined || least <= step || ahead > farthest) return undefined;
  return { zone: writeOffset(ahead), evidence: 'the newest row is so much later than the answer' };
}

/** Names the zone of a local text that stands beside each time: that of a session that begins as its rows do, else the offset. */
export function nameShift(ahead: number, starts: readonly number[]): LocalTimes {
  const evidence = 'a local text is beside the time of each row';
  if (ahead === 0) return { zone: 'UTC', evidence };
  const first = Math.min(...starts.map((start) => Math.round(((start + ahead) % day) / 60)));
  const session = sessions[first];
  const isLikely = session !== undefined && findLocalOffset({ zone: session }, starts[0] ?? 0) === ahead;
  return { zone: isLikely ? session : writeOffset(ahead), evidence };
}

function writeOffset(seconds: number): string {
  const far = Math.abs(seconds);
  const [hours, minutes] = [Math.floor(far / 3600), (far % 3600) / 60];
  return `${seconds < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}

/** Zones of exchanges whose sessions begin at these minutes of the day. */
const sessions: Readonly<Record<number, string>> = {
  570: 'America/New_York',
  555: 'Asia/Kolkata',
  540: 'Asia/Tokyo',
  480: 'Europe/London',
};

function describeOpenZone(name: string, text: string, starts: readonly number[]): string {
  const minutes = starts.map((start) => Math.round((start % day) / 60));
  const [from, to] = [Math.min(...minutes), Math.max(...minutes)];
  const write = (at: number): string =>
    `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`;
  const session = to - from < 720 ? `; the rows lie between ${write(from)} and ${write(to)}` : '';
  const likely = session === '' ? undefined : sessions[from];
  return `x-zone of ${name}: nothing shows the zone of ${JSON.stringify(text)}, and UTC is assumed${session}${likely === undefined ? '' : `, as sessions of ${likely} do`}; write x-zone: UTC or the zone that the vendor's page names, at the start of a row and at the times of a request`;
}

/** Returns the seconds by which texts without an offset are ahead of UTC, at a time. */
export function findLocalOffset({ zone }: Pick<LocalTimes, 'zone'>, at: number): number {
  return findOffset(readZone(zone) ?? [], at);
}
