import type { RunOutcome } from '@candleproof/check/run/run-outcome';
import { acceptSpec } from '@candleproof/check/target/accepted-spec';
import { specFile } from '@candleproof/files/package-files';
import type { Finding } from '@candleproof/law/judge/verdict';
import { StreamingJudge } from '@candleproof/proxy/judging/streaming-judge';
import { makeTrafficRun, type TrafficFacts } from '@candleproof/proxy/running/traffic-run';
import { SpanClock } from '@candleproof/proxy/traffic-observer';
import type { Law, TargetOptions } from './candleproof.ts';
import { chooseLaw } from './choose-law.ts';
import { FetchCopy, ReadAhead } from './fetch-copy.ts';

export type { RunOutcome } from '@candleproof/check/run/run-outcome';
export { UsageError } from '@candleproof/files/usage-error';
export type { Finding } from '@candleproof/law/judge/verdict';
export { writeReports } from './write-run.ts';

export type ObserveOptions = Pick<TargetOptions, 'baseUrl' | 'poolsV1' | 'poolsV2' | 'pools' | 'keyless'> &
  Law & {
    /** Called for each new finding; errors that it throws are ignored. */
    readonly onFinding?: (finding: Finding) => void;
  };

type Fetch = typeof globalThis.fetch;
type Init = Parameters<Fetch>[1];

/** The caller's `fetch`, and the results of judging its answers. */
export type ObservedFetch = Fetch & {
  /** The judged run so far; its recording holds only the exchanges behind findings. */
  result(): Promise<RunOutcome>;
  /** Ends the judge; the fetch continues unobserved. */
  close(): Promise<void>;
};

/**
 * Returns a fetch that does what the given one does, and has a copy of each answer below `baseUrl` judged in a separate
 * thread. It neither throws, waits nor changes anything itself; it keeps no keys.
 * @throws UsageError for rules that do not exist
 */
export function observe(fetch: Fetch, options: ObserveOptions): ObservedFetch {
  const { only, spec, onFinding } = options;
  const law = chooseLaw(only);
  const facts = readFacts(options);
  const judge = new StreamingJudge({
    specFile: spec?.file ?? specFile,
    ...(spec?.overlays && { overlays: spec.overlays }),
    target: facts,
    ...(only && { only: [...law.rules, ...law.questions].map(({ id }) => id) }),
    onFound: ({ finding }, before) => {
      if (before === 0) ignoreErrors(() => onFinding?.(finding));
    },
  });
  const observing = {
    baseUrl: facts.baseUrl,
    clock: new SpanClock(),
    observer: judge,
    ahead: new ReadAhead(),
  };
  const startedAt = new Date().toISOString();
  let isOpen = true;
  const makeObservedFetch: Fetch = async (input, given) => {
    const init = withReusableHeaders(given);
    const copy = isOpen ? ignoreErrors(() => FetchCopy.open(observing, input, init)) : undefined;
    try {
      const response = await fetch(input, init);
      ignoreErrors(() => copy?.follow(response));
      return response;
    } catch (error) {
      copy?.fail();
      throw error;
    }
  };
  return Object.assign(makeObservedFetch, {
    result: async () => {
      await finishCopies();
      await judge.settled(settlingMs);
      const traffic: TrafficFacts = {
        facts,
        law,
        spec: spec ?? (await acceptSpec()),
        out: '.',
      };
      return makeTrafficRun(traffic, judge.seen, startedAt);
    },
    close: async () => {
      isOpen = false;
      await judge.close();
    },
  });
}

/** Resolves when the copies of all answers that callers have read to their ends are with the judge. */
function finishCopies(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

/** Longest wait for the judge, in ms. */
const settlingMs = 30_000;

function readFacts({ baseUrl, poolsV1, poolsV2, pools, keyless }: ObserveOptions): TrafficFacts['facts'] {
  return {
    name: URL.parse(baseUrl)?.hostname ?? baseUrl,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    pools: { ...(poolsV1 && { v1: poolsV1 }), ...(poolsV2 && { v2: poolsV2 }), ...pools },
    keyless: keyless === true,
    soleUser: false,
  };
}

/** Returns the same request, with headers that can be read more than once. */
function withReusableHeaders(init: Init): Init {
  const headers: unknown = init?.headers;
  const isIterator =
    typeof headers === 'object' && headers !== null && 'next' in headers && Symbol.iterator in headers;
  return isIterator ? { ...init, headers: [...(headers as Iterable<[string, string]>)] } : init;
}

/** Keeps our failures, and those of the caller's callbacks, from the caller's requests. */
function ignoreErrors<Value>(work: () => Value): Value | undefined {
  try {
    const value = work();
    if (value instanceof Promise) value.catch(() => undefined);
    return value;
  } catch {
    return undefined;
  }
}
