import exec from 'k6/execution';
import http from 'k6/http';
import { Counter, Gauge } from 'k6/metrics';
import type { Options } from 'k6/options';
import {
  countEnd,
  countSent,
  type DueRequest,
  findDueRequest,
  makeExchange,
  type RequestEnd,
  requestHeaders,
} from './count-answer.ts';
import {
  type CounterFamily,
  gaugeName,
  gauges,
  type LoadTally,
  listFamilies,
  totalFamily,
  valueName,
} from './counters.ts';
import type { LoadMessage, LoadPlan } from './load-run.ts';
import { countedByK6, type K6Summary, makeRun, segmentName } from './summary.ts';

const plan: LoadPlan = JSON.parse(open(__ENV.CANDLEPROOF_LOAD_PLAN ?? ''));
const key = __ENV.CANDLEPROOF_LOAD_KEY;

const families = listFamilies();

export const options = makeOptions(plan, families);

const counters = new Map(families.map(({ counter }) => [counter, new Counter(counter)]));
const quotaGauges = new Map(gauges.map((name) => [name, new Gauge(gaugeName(name))]));

const tally: LoadTally = {
  count: ({ counter }, value, n = 1) => counters.get(counter)?.add(n, { of: value }),
  gauge: (name, value) => quotaGauges.get(name)?.add(value),
};

const headers = requestHeaders(plan, key);
const progressEvery = Math.max(1, Math.ceil(plan.cap / 100));

/** Longest body that is kept, in characters. */
const mostBody = 1_000_000;

/** k6's error code of a request that timed out. */
const timedOut = 1050;

function sendMessage(message: LoadMessage): void {
  const text = JSON.stringify(message);
  // A log is read by people who do not have the key.
  const redacted = key === undefined ? text : text.replaceAll(key, '[redacted:api-key]');
  // biome-ignore lint/suspicious/noConsole: k6 has no other output while it runs.
  console.log(redacted);
}

/** Sends one request. */
export default function iteration(): void {
  const index = exec.scenario.iterationInTest;
  const request = findDueRequest(plan, index);
  if (!request) return;
  const begun = Date.now();
  countSent(tally, request);
  if (index % progressEvery === 0) sendMessage({ kind: 'progress', sent: index + 1 });
  const response = http.get(`${plan.target.baseUrl}${request.path}`, {
    headers,
    redirects: 0,
    timeout: plan.timeoutMs,
    responseType: request.isSampled ? 'text' : 'none',
  });
  const late = begun - (exec.scenario.startTime + request.due * 1000);
  const ended = readEnd(response, Math.max(late, 0), Date.now() - begun);
  const isFloor = countEnd(tally, plan, request, ended);
  if (index === 0) sendBegun(response.proto);
  if (request.isSampled && response.status === 200) keepSample(request, begun, response);
  if (isFloor) exec.test.abort('the floor of the quota is reached');
}

function sendBegun(protocol: string): void {
  const { target } = plan;
  sendMessage({ kind: 'begun', startedAt: exec.scenario.startTime, protocol, target });
}

type Response = ReturnType<typeof http.get>;

/** Reads how a request ended. The time counts from when it was due. */
function readEnd(response: Response, lateMs: number, wallMs: number): RequestEnd {
  const { status, error_code: code, timings } = response;
  // k6's blocked time includes a new connection and its handshake.
  const { blocked, sending, waiting, receiving } = timings;
  const figure = response.error ? wallMs : blocked + sending + waiting + receiving;
  return {
    status,
    // k6 joins lines of the same name.
    headers: Object.entries(response.headers),
    failure: code === timedOut ? 'timeout' : code >= 1000 && code < 1400 ? 'connection' : undefined,
    // Both clocks have a resolution of a millisecond, so less than that is no delay.
    tookMs: figure + (lateMs < 1 ? 0 : lateMs),
  };
}

function keepSample(request: DueRequest, begun: number, response: Response): void {
  const { status, status_text, proto, timings, body } = response;
  if (typeof body !== 'string' || body.length > mostBody) return;
  const exchange = makeExchange(plan, request, key !== undefined, {
    begun,
    timings: { wait: timings.waiting, receive: timings.receiving, total: timings.duration },
    response: {
      status,
      statusText: status_text.replace(/^\d+ /, ''),
      httpVersion: proto,
      headers: Object.entries(response.headers),
      body: { text: body, encoding: 'utf8' },
    },
  });
  tally.count(totalFamily, 'sampled');
  sendMessage({ kind: 'sample', index: request.index, exchange });
}

/** Prints this process's part of the run as one line of JSON. */
export function handleSummary(data: K6Summary): Record<string, string> {
  const now = Date.now();
  const run = makeRun(plan.trial, countedByK6(data), {
    engine: 'k6',
    segment: segmentName(exec.test.options.executionSegment),
    own: data.metrics.http_req_duration?.values,
    startedAt: new Date(now - data.state.testRunDurationMs).toISOString(),
    finishedAt: new Date(now).toISOString(),
  });
  return { stdout: `${JSON.stringify(run)}\n` };
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
