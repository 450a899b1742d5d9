import type { KeyLeft } from '@candleproof/client/ledger/key-guard';
import { applyBaseline, type Baseline } from '@candleproof/law/judge/baseline';
import { type Judged, judge } from '@candleproof/law/judge/judge';
import type { CoveredNights } from '@candleproof/law/judge/verdict';
import type { Recording } from '@candleproof/law/reading/exchange';
import { Readings } from '@candleproof/law/reading/reading';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { otherHeaders, trialCredential } from '@candleproof/law/rules/error-cases';
import type { PlanSize } from '../plan/afford.ts';
import { measureCoverage } from '../plan/coverage.ts';
import { measureGround } from '../plan/ground.ts';
import { makePlan, type Plan, planNights, requestKey, splitBudget, usualSize } from '../plan/plan.ts';
import { isMeantToFail, type PlannedRequest } from '../plan/planned-request.ts';
import { isUnrestrained, type Scope } from '../plan/scope.ts';
import { type FreeOf, type SettledPlan, settle, withUnsent } from './budget.ts';
import { type ConfirmOptions, confirm } from './confirm.ts';
import { Fetcher, type FetchOptions } from './fetch.ts';
import { type JudgedBy, type RunOutcome, toRun, withheldRun } from './run-outcome.ts';

export type RunOptions = Omit<FetchOptions, 'budget' | 'onProgress'> &
  JudgedBy &
  Pick<ConfirmOptions, 'hasCompany' | 'onJudged'> & {
    /** Returns what may still be sent with the key; undefined until an answer shows it. */
    readonly left?: () => Promise<KeyLeft | undefined>;
    /** The runs that this one is planned with; its seed is its place among them. */
    readonly nights?: number | undefined;
    /** The small fixed part of the plan alone. */
    readonly smoke?: boolean | undefined;
    /** Every trial of keys and many requests at once, away from loopback too. */
    readonly thorough?: boolean;
    /** The key in a URL, a cookie and a Bearer header, away from loopback too. */
    readonly exposeKey?: boolean;
    /** Most requests in all, or what the key's month has free; default: what the plan needs, and some repeats. */
    readonly budget?: number | FreeOf;
    /** The target's baseline, and the day (YYYY-MM-DD, UTC) against which its end dates are read. */
    readonly baseline?: { readonly known: Baseline; readonly today: string };
    readonly replay: (rule: string) => string;
    readonly onProgress?: (sent: number, planned: number) => void;
    /** Receives what the first answers show, while the others are still to come. */
    readonly onFirstJudged?: ((first: FirstJudged) => void) | undefined;
  };

/** Rules of must and should that the first answers break, and the requests that were sent by then. */
export type FirstJudged = { readonly broken: number; readonly sent: number };

/** With the judgement that the run rests on, before any baseline. */
export type JudgedRun = RunOutcome & { readonly judged: Judged };

/** Makes one conformance run: plans, fetches, judges, and repeats requests that may change the verdict. */
export async function runConformance(options: RunOptions): Promise<JudgedRun> {
  const startedAt = new Date().toISOString();
  const given = typeof options.budget === 'number' ? options.budget : undefined;
  const { planned, budget: most } = splitBudget(given);
  const plan = planRun(options, planned);
  const budget = Math.min(most, given ?? plan.requests.length + usualSize.again);
  options.onProgress?.(0, plan.requests.length);
  const fetcher = new Fetcher({
    ...options,
    budget,
    onProgress: (sent) => options.onProgress?.(sent, plan.requests.length),
  });
  const whole: SettledPlan = { plan, budget, rest: plan.requests };
  const freeOf = typeof options.budget === 'function' ? options.budget : undefined;
  const bounds = { freeOf, left: options.left };
  const settled = await settle(options.spec.quota, fetcher, whole, bounds, (requests) =>
    planRun(options, requests),
  );
  const readings = new Readings();
  await fetchWithFirstWord(fetcher, settled.rest, { ...options, readings });
  await fetcher.fetch(listSinglePlaces(fetcher.recording(), settled.plan.requests));
  const confirmed = await confirm(fetcher, settled.plan.requests, { ...options, readings });
  const refusals = confirmed.findings.length > 0 ? [] : listSpareRefusals(fetcher, settled, options);
  if (refusals.length > 0) await fetcher.fetch(refusals);
  const final = refusals.length > 0 ? await confirm(fetcher, [], { ...options, readings }) : confirmed;
  const judged = withUnsent(final, {
    ...{ spec: options.spec, law: options.catalogue ?? catalogue },
    ...{ target: options.target, scope: makeScope(options) },
    reached: fetcher.reached,
    budget: settled.budget,
    isCurbed: !fetcher.isStopped && (settled.plan.left > 0 || fetcher.left === 0),
    guessesEnded: fetcher.guessesEnded,
  });
  const { baseline } = options;
  const measured = baseline ? applyBaseline(judged, baseline.known, baseline.today) : judged;
  const recording = fetcher.recording();
  const facts = { startedAt, finishedAt: new Date().toISOString() };
  const keyed = recording.exchanges.filter(({ request }) => request.credential === 'api-key').length;
  const requests = { sent: fetcher.sent, budget: settled.budget, keyed };
  const mayVaryAgent = isUnrestrained(options.target, options);
  const coverage = {
    ...measureCoverage(options.spec, fetcher.requested, mayVaryAgent),
    ...(options.nights !== undefined && { nights: measureNights(options, planned, mayVaryAgent) }),
  };
  const ground = {
    ...measureGround(options.spec, plan.whole, (request) => fetcher.reached.has(requestKey(request))),
    ...(fetcher.guessesEnded && { guessesEnded: fetcher.guessesEnded }),
  };
  const run = toRun(measured, recording, options, { ...facts, requests, ground, coverage });
  const reason = fetcher.whyCut ?? settled.refusal;
  return { run: reason === undefined ? run : withheldRun(run, reason), recording, judged };
}

/** Requests after which it is reported what was found so far. */
const firstWordAfter = 10;

/** Sends all requests; the first of them are judged on the way if somebody wants to know. */
async function fetchWithFirstWord(
  fetcher: Fetcher,
  requests: readonly PlannedRequest[],
  options: RunOptions & { readonly readings: Readings },
): Promise<void> {
  const isLater = ({ together }: PlannedRequest, at: number): boolean => at >= firstWordAfter && !together;
  const first = options.onFirstJudged ? Math.max(0, requests.findIndex(isLater)) : 0;
  await fetcher.fetch(requests.slice(0, first), requests.length - first);
  if (first > 0 && !fetcher.isStopped) {
    const { findings } = judge(options.spec, fetcher.recording(), options);
    options.onFirstJudged?.({
      broken: new Set(findings.map(({ rule }) => rule)).size,
      sent: fetcher.sent,
    });
  }
  await fetcher.fetch(requests.slice(first));
}

function planRun(options: RunOptions, most: PlanSize): Plan {
  return makePlan(options.spec, options.catalogue ?? catalogue, options.target, most, makeScope(options));
}

/** Measures what the runs of all nights cover together, as they are planned. */
function measureNights(options: RunOptions, most: PlanSize, mayVaryAgent: boolean): CoveredNights {
  const { spec, target, nights = 1, seed } = options;
  const plans = planNights(spec, options.catalogue ?? catalogue, target, most, makeScope(options));
  const requests = plans.flatMap((plan) => plan.requests);
  const { pairs, triples } = measureCoverage(spec, requests, mayVaryAgent);
  return { night: seed, of: nights, pairs, triples };
}

/** Requests that are kept for repeating what the last ones show. */
const keptBack = 2;

/** Lists refusals that the plan left out and that a given budget holds, since nothing had to be requested again. */
function listSpareRefusals(
  fetcher: Fetcher,
  { plan, budget }: SettledPlan,
  options: RunOptions,
): PlannedRequest[] {
  if (typeof options.budget !== 'number' || plan.left === 0 || fetcher.isStopped) return [];
  return planRun(options, { requests: budget, keyed: budget })
    .requests.filter((request) => isMeantToFail(request) && !fetcher.reached.has(requestKey(request)))
    .slice(0, Math.max(0, fetcher.left - keptBack));
}

/** Lists the headers in which the key stood, one by one, if it was let in with all of them at once. */
function listSinglePlaces({ exchanges }: Recording, requests: readonly PlannedRequest[]): PlannedRequest[] {
  const isLetIn = exchanges.some(
    ({ request, response }) =>
      request.credential === trialCredential('in-other-headers') && response?.status === 200,
  );
  if (!isLetIn) return [];
  return requests
    .filter(({ need }) => need.trial === 'in-other-headers')
    .flatMap((group) =>
      otherHeaders.map((trial) => ({
        ...group,
        ...{ need: { ...group.need, trial }, credential: trialCredential(trial) },
      })),
    );
}

function makeScope({ seed, nights, smoke, thorough, exposeKey, keys }: RunOptions): Scope {
  return { seed, nights, smoke, thorough, exposeKey, hasOtherKey: keys.otherKey !== undefined };
}
