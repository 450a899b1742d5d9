import type { OperationId } from '../document/spec.ts';
import type { Breach } from '../law/rule.ts';
import { type Answer, holdsSuccess } from '../reading/reading.ts';
import { thousands } from '../reading/thousands.ts';
import type { Evidence } from '../relations/evidence.ts';
import { lastTries } from '../relations/series.ts';
import { describeEnd } from './describe-end.ts';
import { hiding } from './hidden-evidence.ts';
import { type Sighting, untimed } from './sighting.ts';
import type { Verdict } from './verdict.ts';
import { countRead, withheldRows } from './withheld.ts';

/**
 * The verdict over all that was seen, with its reason where it is not simply conformant. Rules whose failing is
 * `known` do not count. Where requests were drawn at random, silence is no reason.
 */
export function reachVerdict(
  evidence: Evidence,
  sightings: readonly Sighting[],
  known: ReadonlySet<string> = new Set(),
  isDrawn = false,
): { verdict: Verdict; reason?: string } {
  const failed = sightings.filter(
    ({ rule, breaches }) => rule.level === 'must' && breaches.length > 0 && !known.has(rule.id),
  );
  if (failed.length > 0) {
    const ids = failed.map(({ rule }) => rule.id);
    return { verdict: 'nonconformant', reason: `${count(ids.length, 'must')} failed: ${ids.join(', ')}` };
  }
  const [accepted, counted] = [true, false].map((isKnown) =>
    sightings.filter(({ rule }) => known.has(rule.id) === isKnown),
  );
  const silenced = isDrawn ? undefined : () => whySilenced(evidence, counted ?? [], brokenBy(accepted ?? []));
  const reason = whyUndecided(evidence, counted ?? [], silenced);
  return reason === undefined ? { verdict: 'conformant' } : { verdict: 'inconclusive', reason };
}

function brokenBy(sightings: readonly Sighting[]): ReadonlySet<Answer> {
  return new Set(sightings.flatMap(({ breaches }) => breaches.map(({ answer }) => answer)));
}

/** Only recordings of others leave bodies out. */
const bodiless = 'this recording holds no bodies; record it with embedded content';

function whyUndecided(
  evidence: Evidence,
  sightings: readonly Sighting[],
  silenced: (() => string | undefined) | undefined,
): string | undefined {
  const final = lastTries(evidence.answers.filter((each) => each.entitled));
  if (final.length === 0) return 'no proper request to any of the operations was made';
  if (!final.some((each) => each.complete)) return `the target did not answer: ${failureOf(final)}`;
  const isKeyGood = final.some((each) => each.success && each.exchange.request.credential === 'api-key');
  const refused = final.find((each) => isRefusal(each) && !(isKeyGood && isUnkeyed(each)));
  if (refused) return whyRefused(refused);
  if (final.some(({ status }) => status === 429)) return 'the quota or the rate limit is spent (status 429)';
  const crashed = sightings.find(({ rule, crash }) => rule.level === 'must' && crash);
  if (crashed) return `${crashed.rule.id}: ${crashed.crash}`;
  const unjudged = unexercisedOperations(final, sightings);
  const unkept = whyUnkept(final);
  if (unkept !== undefined) return unkept;
  if (unjudged.length === 0) return silenced?.();
  const successes = final.filter((each) => each.success);
  if (successes.length > 0 && !successes.some(holdsSuccess)) return bodiless;
  const statuses = [
    ...new Set(final.filter((each) => !holdsSuccess(each) && each.status !== 304).map(describeEnd)),
  ].join(', ');
  return `nothing could be judged of ${unjudged.join(', ')}${statuses && ` (${statuses})`}`;
}

/** Recorders of others leave bodies out as they please; we do where a target sends more than a run can hold. */
function whyUnkept(answers: readonly Answer[]): string | undefined {
  const unkept = answers.filter(({ success, body, exchange }) => success && !body && !exchange.recorder);
  if (unkept.length === 0) return undefined;
  const whose = unkept.length === 1 ? 'answer was' : 'answers were';
  return `${unkept.length} ${whose} left unjudged, since all together pass what a run keeps: --max-body raises it`;
}

/** Why musts were left unjudged by the target's own doing, not by a choice of ours; undefined where none were. */
function whySilenced(
  evidence: Evidence,
  sightings: readonly Sighting[],
  accepted: ReadonlySet<Answer>,
): string | undefined {
  const withheld = withheldRows(evidence, accepted);
  const { candles, unreadable } = countRead(evidence);
  const reasons = [
    ...(withheld.length > 0 ? [`rows were withheld: ${withheld.join('; ')}`] : []),
    ...(unreadable > 0
      ? [`${thousands(unreadable)} of ${count(candles, 'candle')} have no readable start or prices`]
      : []),
    ...silencedMusts(evidence, sightings),
  ];
  return reasons.length > 0 ? reasons.join('; ') : undefined;
}

/** The musts that found nothing to judge because of something that the target does wrong, by that reason. */
function silencedMusts({ answers, wrongDates }: Evidence, sightings: readonly Sighting[]): string[] {
  // A Date that is missing costs what `isUntimed` tells; a wrong one led the requests astray too.
  const hiddenBy = hiding(
    answers,
    sightings.filter(({ breaches }) => wrongDates.length > 0 || !breaches.some(isOfDate)),
  );
  const whyOf = ({ rule, isUntimed, silence, undecided }: Sighting): string | undefined => {
    if (silence !== undefined) return silence;
    if (isUntimed) return untimed;
    const hiding = undecided.length === 0 ? hiddenBy(rule) : undefined;
    return hiding && `the answers break ${hiding}`;
  };
  const silenced = sightings
    .filter(({ rule, judged, silence }) => rule.level === 'must' && (judged.size === 0 || silence))
    .flatMap((each) => ({ id: each.rule.id, why: whyOf(each) }));
  return [...Map.groupBy(silenced, ({ why }) => why)].flatMap(([why, musts]) => {
    if (why === undefined) return [];
    const ids = musts.map(({ id }) => id).join(', ');
    return [`${why}: ${count(musts.length, 'must')} could not be judged: ${ids}`];
  });
}

function isOfDate({ pointer }: Breach): boolean {
  return pointer === 'header:date';
}

function isRefusal({ status }: Answer): boolean {
  return status === 401 || status === 403;
}

/** A recording shows no key there, and may have cut it. */
function isUnkeyed({ exchange }: Answer): boolean {
  return exchange.request.credential === 'unknown';
}

function whyRefused({ status, exchange }: Answer): string {
  return exchange.request.credential === 'none'
    ? `the target asks for a key (status ${status}), though it was said to need none`
    : `the API key was refused (status ${status})`;
}

function failureOf(answers: readonly Answer[]): string {
  const failure = answers[0]?.exchange.failure;
  return failure ? `${failure.kind} (${failure.message})` : 'nothing came';
}

/** Operations that were requested for a must's sake and of which no successful answer was judged by any. */
function unexercisedOperations(requested: readonly Answer[], sightings: readonly Sighting[]): OperationId[] {
  const musts = sightings.filter(({ rule }) => rule.level === 'must');
  const judged = new Set<OperationId | undefined>();
  for (const sighting of musts)
    for (const answer of sighting.judged)
      if (holdsSuccess(answer) && answer.entitled) judged.add(answer.requested?.operation);
  const wanted = new Set(musts.flatMap(({ rule }) => rule.needs.map((need) => need.role)));
  const operations = requested.flatMap((each) =>
    each.requested && wanted.has(each.requested.role) ? [each.requested.operation] : [],
  );
  return [...new Set(operations)].filter((each) => !judged.has(each));
}

function count(number: number, noun: string): string {
  return `${thousands(number)} ${noun}${number === 1 ? '' : 's'}`;
}
