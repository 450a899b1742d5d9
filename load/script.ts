import exec from 'k6/execution';
import http from 'k6/http';
import { Counter, Gauge } from 'k6/metrics';
import type { Options } from 'k6/options';
import { type PackedSpec, unpackSpec } from '../contract/document/packed-spec.ts';
import type { Spec } from '../contract/document/spec.ts';
import { findSlice, intendedStart, isSampled, mixIndex, totalSeconds } from './bill.ts';
import {
  type CounterFamily,
  coarsely,
  gaugeName,
  gauges,
  type LoadOutcome,
  latencyFamily,
  listFamilies,
  outcomeFamily,
  ruleFamily,
  sliceFamily,
  totalFamily,
  valueName,
} from './counters.ts';
import { findBucket } from './histogram.ts';
import { completeRuntime } from './k6-runtime.ts';
import type { LoadMessage, LoadPlan } from './load-run.ts';
import {
  classifyOutcome,
  judgeAlone,
  makeExchange,
  readAnswerQuota,
  singleAnswerRules,
} from './single-answer.ts';
import { type K6Summary, makeRun, segmentName } from './summary.ts';

completeRuntime();

const plan: LoadPlan = JSON.parse(open(__ENV.CANDLEPROOF_LOAD_PLAN ?? ''));
const { load, judgeShare, floor, slowMs } = plan.trial;
const key = __ENV.CANDLEPROOF_LOAD_KEY;

const families = listFamilies(singleAnswerRules.length);

export const options = makeOptions(plan, families);

const counters = new Map(families.map(({ counter }) => [counter, new Counter(counter)]));
const quotaGauges = new Map(gauges.map((name) => [name, new Gauge(gaugeName(name))]));

const headers = {
  accept: 'application/json',
  'user-agent': plan.userAgent,
  ...(key !== undefined && { [plan.keyHeader]: plan.keyPrefix + key }),
};

/** Maximum number of reported breaches per virtual user. */
const mostKept = 3;
const mostBody = 1_000_000;
const ofRules = ruleFamily(singleAnswerRules.length);
const keptRules = new Set<string>();
let kept = 0;
const progressEvery = Math.max(1, Math.ceil(plan.cap / 100));

/** Unpacked before the load starts, as that takes as long as several answers. */
const spec: Spec | undefined = judgeShare > 0 ? unpackSpec(JSON.parse(plan.spec) as PackedSpec) : undefined;

function count({ counter }: CounterFamily, value: string, n = 1): void {
  counters.get(counter)?.add(n, { of: value });
}

function countBoth(ofSlice: CounterFamily, value: string): void {
  count(totalFamily, value);
  count(ofSlice, value);
}

function sendMessage(message: LoadMessage): void {
  // biome-ignore lint/suspicious/noConsole: k6 has no other output while it runs.
  console.log(JSON.stringify(message));
}

/** Sends one request. */
export default function iteration(): void {
  const index = exec.scenario.iterationInTest;
  if (index >= plan.cap) return;
  const due = intendedStart(load, index);
  const ofSlice = sliceFamily(findSlice(load, Math.min(due, totalSeconds(load))));
  const requested = plan.mix[mixIndex(index, plan.mix.length)];
  if (!requested) return;
  const isJudged = isSampled(index, judgeShare);
  const begun = Date.now();
  const url = `${plan.target.baseUrl}${requested.path}`;
  countBoth(ofSlice, 'sent');
  if (index % progressEvery === 0) sendMessage({ kind: 'progress', sent: index + 1 });
  const response = http.get(url, {
    headers,
    redirects: 0,
    timeout: plan.timeoutMs,
    responseType: isJudged ? 'text' : 'none',
  });
  const late = begun - (exec.scenario.startTime + due * 1000);
  measure(response, ofSlice, Math.max(late, 0), Date.now() - begun);
  if (index === 0)
    sendMessage({ kind: 'begun', startedAt: exec.scenario.startTime, protocol: response.proto });
  if (isJudged && response.status === 200) judge(url, begun, response, ofSlice);
  count(totalFamily, 'checked');
  const { remaining } = readAnswerQuota(plan.quota, response);
  if (floor !== undefined && remaining !== undefined && remaining <= floor)
    exec.test.abort('the floor of the quota is reached');
}

type Response = ReturnType<typeof http.get>;

/** Counts outcome and latency. The latency starts when the request was due. */
function measure(response: Response, ofSlice: CounterFamily, lateMs: number, wallMs: number): void {
  const quota = readAnswerQuota(plan.quota, response);
  for (const name of gauges) {
    const value = quota[name];
    if (value !== undefined) quotaGauges.get(name)?.add(value);
  }
  const outcome: LoadOutcome = classifyOutcome(response, quota.additional ?? 0);
  count(outcomeFamily, outcome);
  if (response.status > 0) countBoth(ofSlice, 'answers');
  if (outcome === 'limited') count(ofSlice, 'limited');
  else if (outcome !== 'ok' && outcome !== 'overage') count(ofSlice, 'errors');
  // k6's blocked time includes a new connection and its handshake.
  const { blocked, sending, waiting, receiving } = response.timings;
  const figure = response.error ? wallMs : blocked + sending + waiting + receiving;
  // Both clocks have a resolution of a millisecond, so less than that is no delay.
  const took = 1000 * (figure + (lateMs < 1 ? 0 : lateMs));
  const bucket = findBucket(took);
  count(latencyFamily, String(bucket));
  count(ofSlice, `latency-${Math.floor(bucket / coarsely)}`);
  if (took > 1000 * slowMs) count(ofSlice, 'slow');
}

function judge(url: string, begun: number, response: Response, ofSlice: CounterFamily): void {
  if (!spec) return;
  const before = Date.now();
  const exchange = makeExchange(url, begun, response, key !== undefined);
  const { broken, isWrong, holdsRecord, crashed } = judgeAlone(spec, plan.target, exchange);
  // An answer without a record can be wrong but never counts as right.
  if (holdsRecord || isWrong) countBoth(ofSlice, 'judged');
  count(totalFamily, 'judging-us', 1000 * (Date.now() - before));
  if (crashed > 0) count(totalFamily, 'crashed', crashed);
  if (broken.length === 0) return;
  if (isWrong) countBoth(ofSlice, 'breached');
  for (const index of broken) count(ofRules, String(index));
  const rules = broken.flatMap((index) => singleAnswerRules[index]?.id ?? []);
  const isNew = rules.some((rule) => !keptRules.has(rule));
  const isSmall = (exchange.response?.body?.text.length ?? 0) <= mostBody;
  if (!isNew || !isSmall || kept >= mostKept) return;
  kept += 1;
  for (const rule of rules) keptRules.add(rule);
  sendMessage({ kind: 'breach', rules, exchange });
}

/** Prints this process's part of the run as one line of JSON. */
export function handleSummary(data: K6Summary): Record<string, string> {
  const rules = singleAnswerRules.map(({ id }) => id);
  const segment = segmentName(exec.test.options.executionSegment);
  return { stdout: `${JSON.stringify(makeRun(plan.trial, data, { rules, segment, now: Date.now() }))}\n` };
}

/** Returns the options of an open model: requests are sent when due, regardless of earlier answers. */
export function makeOptions(
  { trial: { load }, vus, timeoutMs }: LoadPlan,
  families: readonly CounterFamily[],
): Options {
  return {
    scenarios: {
      load: {
        executor: 'ramping-arrival-rate',
        startRate: load.startPerMinute,
        timeUnit: '1m',
        preAllocatedVUs: vus,
        maxVUs: vus,
        stages: load.stages.map(({ perMinute, seconds }) => ({ target: perMinute, duration: `${seconds}s` })),
        gracefulStop: `${Math.ceil(timeoutMs / 1000) + 1}s`,
      },
    },
    summaryTrendStats: ['avg', 'min', 'med', 'p(90)', 'p(95)', 'p(99)', 'p(99.9)', 'max'],
    // k6 separates the values of a tag only if a threshold names them, even an empty one.
    thresholds: Object.fromEntries(
      families.flatMap((family) => family.values.map((value) => [valueName(family, value), []])),
    ),
    batch: 1,
  };
}
