import exec from 'k6/execution';
import http from 'k6/http';
import { Counter, Gauge } from 'k6/metrics';
import { type PackedSpec, unpackSpec } from '../contract/document/packed-spec.ts';
import type { Spec } from '../contract/document/spec.ts';
import { exchangeOf, outcomeOf, quotaIn } from './answers.ts';
import { secondsOf } from './bill.ts';
import {
  type CounterFamily,
  coarsely,
  familiesOf,
  gaugeName,
  gauges,
  type LoadOutcome,
  latencyFamily,
  outcomeFamily,
  ruleFamily,
  sliceFamily,
  totalFamily,
} from './counters.ts';
import { bucketOf } from './histogram.ts';
import { intendedStart } from './intended-start.ts';
import { optionsFor } from './k6-options.ts';
import { completeRuntime } from './k6-runtime.ts';
import type { LoadPlan } from './load-plan.ts';
import type { LoadMessage } from './messages.ts';
import { isSampled, turnOf } from './sampling.ts';
import { judgeAlone, singleAnswerRules } from './single-answer.ts';
import { sliceOf } from './slices.ts';
import { type K6Summary, runOf, segmentName } from './summary.ts';

completeRuntime();

const plan: LoadPlan = JSON.parse(open(__ENV.CANDLEPROOF_LOAD_PLAN ?? ''));
const { load, judgeShare, floor, slowMs } = plan.trial;
const key = __ENV.CANDLEPROOF_LOAD_KEY;

const families = familiesOf(singleAnswerRules.length);

export const options = optionsFor(plan, families);

const counters = new Map(families.map(({ counter }) => [counter, new Counter(counter)]));
const quotaGauges = new Map(gauges.map((name) => [name, new Gauge(gaugeName(name))]));

const headers = {
  accept: 'application/json',
  'user-agent': plan.userAgent,
  ...(key !== undefined && { [plan.keyHeader]: key }),
};

/** Of each virtual user: enough to show what is wrong, few enough for any number of users. */
const mostKept = 3;
const mostBody = 1_000_000;
const ofRules = ruleFamily(singleAnswerRules.length);
const keptRules = new Set<string>();
let kept = 0;
const progressEvery = Math.max(1, Math.ceil(plan.cap / 100));
/** Unpacked before the load begins: it takes as long as several answers. */
const spec: Spec | undefined = judgeShare > 0 ? unpackSpec(JSON.parse(plan.spec) as PackedSpec) : undefined;

function count({ counter }: CounterFamily, value: string, n = 1): void {
  counters.get(counter)?.add(n, { of: value });
}

function say(message: LoadMessage): void {
  // biome-ignore lint/suspicious/noConsole: k6 has no other way to tell anything while it runs.
  console.log(JSON.stringify(message));
}

/** One request; nothing else sends any. */
export default function iteration(): void {
  const index = exec.scenario.iterationInTest;
  if (index >= plan.cap) return;
  const due = intendedStart(load, index);
  const ofSlice = sliceFamily(sliceOf(load, Math.min(due, secondsOf(load))));
  const requested = plan.mix[turnOf(index, plan.mix.length)];
  if (!requested) return;
  const isJudged = isSampled(index, judgeShare);
  const begun = Date.now();
  const url = `${plan.target.baseUrl}${requested.path}`;
  count(totalFamily, 'sent');
  count(ofSlice, 'sent');
  if (index % progressEvery === 0) say({ kind: 'progress', sent: index + 1 });
  const response = http.get(url, {
    headers,
    redirects: 0,
    timeout: plan.timeoutMs,
    responseType: isJudged ? 'text' : 'none',
  });
  const late = begun - (exec.scenario.startTime + due * 1000);
  measure(response, ofSlice, Math.max(late, 0), Date.now() - begun);
  if (index === 0) say({ kind: 'begun', startedAt: exec.scenario.startTime, protocol: response.proto });
  if (isJudged && response.status === 200) judge(url, begun, response, ofSlice);
  count(totalFamily, 'checked');
  const { remaining } = quotaIn(plan.quota, response);
  if (floor !== undefined && remaining !== undefined && remaining <= floor)
    exec.test.abort('the floor of the quota is reached');
}

type Response = ReturnType<typeof http.get>;

/** Time from the instant at which the request was due, whatever held it up before it left. */
function measure(response: Response, ofSlice: CounterFamily, lateMs: number, wallMs: number): void {
  const quota = quotaIn(plan.quota, response);
  for (const name of gauges) {
    const value = quota[name];
    if (value !== undefined) quotaGauges.get(name)?.add(value);
  }
  const outcome: LoadOutcome = outcomeOf(response, quota.additional ?? 0);
  count(outcomeFamily, outcome);
  if (response.status > 0) count(totalFamily, 'answers');
  if (response.status > 0) count(ofSlice, 'answers');
  if (outcome === 'limited') count(ofSlice, 'limited');
  else if (outcome !== 'ok' && outcome !== 'overage') count(ofSlice, 'errors');
  // A new connection and its handshake are part of the time that k6 calls blocked.
  const { blocked, sending, waiting, receiving } = response.timings;
  const own = response.error ? wallMs : blocked + sending + waiting + receiving;
  // Both clocks tell whole milliseconds: less than one is no delay.
  const took = 1000 * (own + (lateMs < 1 ? 0 : lateMs));
  const bucket = bucketOf(took);
  count(latencyFamily, String(bucket));
  count(ofSlice, `latency-${Math.floor(bucket / coarsely)}`);
  if (took > 1000 * slowMs) count(ofSlice, 'slow');
}

function judge(url: string, begun: number, response: Response, ofSlice: CounterFamily): void {
  if (!spec) return;
  const before = Date.now();
  const exchange = exchangeOf(url, begun, response, key !== undefined);
  const { broken, isWrong, holdsRecord, crashed } = judgeAlone(spec, plan.target, exchange);
  // An answer without a record is wrong where a rule says so, and never right.
  if (holdsRecord || isWrong) count(totalFamily, 'judged');
  if (holdsRecord || isWrong) count(ofSlice, 'judged');
  count(totalFamily, 'judging-us', 1000 * (Date.now() - before));
  if (crashed > 0) count(totalFamily, 'crashed', crashed);
  if (broken.length === 0) return;
  if (isWrong) count(totalFamily, 'breached');
  if (isWrong) count(ofSlice, 'breached');
  for (const each of broken) count(ofRules, String(each));
  const rules = broken.flatMap((each) => singleAnswerRules[each]?.id ?? []);
  const isNew = rules.some((rule) => !keptRules.has(rule));
  const isSmall = (exchange.response?.body?.text.length ?? 0) <= mostBody;
  if (!isNew || !isSmall || kept >= mostKept) return;
  kept += 1;
  for (const rule of rules) keptRules.add(rule);
  say({ kind: 'breach', rules, exchange });
}

/** What this process has to tell of the load, on a line of its own: be it one of several, elsewhere. */
export function handleSummary(data: K6Summary): Record<string, string> {
  const rules = singleAnswerRules.map(({ id }) => id);
  const segment = segmentName(exec.test.options.executionSegment);
  return { stdout: `${JSON.stringify(runOf(plan.trial, data, { rules, segment, now: Date.now() }))}\n` };
}
