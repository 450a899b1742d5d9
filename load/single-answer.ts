import type { Response, ResponseBody } from 'k6/http';
import type { QuotaHeaders } from '../contract/document/roles.ts';
import type { Spec } from '../contract/document/spec.ts';
import { catalogue } from '../contract/law/catalogue.ts';
import type { Rule } from '../contract/law/rule.ts';
import type { Exchange, TargetFacts } from '../contract/reading/exchange.ts';
import { type Quota, readQuota } from '../contract/reading/quota.ts';
import { gatherEvidence } from '../contract/relations/evidence.ts';
import type { LoadOutcome } from './counters.ts';

/** Groups of rules that compare answers or judge refusals, and so never apply to a single success. */
const ofSeveral = /^(rollup|inversion|errors|authentication)\//;

/** The rules for a single answer under load. */
export const singleAnswerRules: readonly Rule[] = catalogue.rules.filter(({ id }) => !ofSeveral.test(id));

export type JudgedAlone = {
  /** Indices of the broken rules in `singleAnswerRules`. */
  readonly broken: readonly number[];
  /** True if a broken rule is a must; other rules do not make an answer wrong. */
  readonly isWrong: boolean;
  /** True if the answer has a candle or token; otherwise nothing was judged. */
  readonly holdsRecord: boolean;
  /** Number of rules that crashed, which is our fault and not the target's. */
  readonly crashed: number;
};

/** Judges a single exchange. */
export function judgeAlone(spec: Spec, target: TargetFacts, exchange: Exchange): JudgedAlone {
  const evidence = gatherEvidence(spec, { target, seed: 0, exchanges: [exchange] });
  const broken: number[] = [];
  let crashed = 0;
  for (const [index, rule] of singleAnswerRules.entries()) {
    try {
      for (const outcome of rule.check(evidence)) {
        if (!('breach' in outcome)) continue;
        broken.push(index);
        break;
      }
    } catch {
      crashed += 1;
    }
  }
  const isWrong = broken.some((index) => singleAnswerRules[index]?.level === 'must');
  const holdsRecord = evidence.answers.some(({ records }) => records.length > 0);
  return { broken, isWrong, holdsRecord, crashed };
}

type Answer = Pick<Response, 'status' | 'status_text' | 'proto' | 'headers' | 'error_code' | 'timings'> & {
  readonly body?: ResponseBody | undefined;
};

/** k6's error code of a request that timed out. */
const timedOut = 1050;

/** Classifies the outcome of a request; `additional` is the number of requests beyond the key's quota. */
export function classifyOutcome(
  { status, error_code }: Pick<Answer, 'status' | 'error_code'>,
  additional: number,
): LoadOutcome {
  if (error_code === timedOut) return 'timeout';
  if (status === 0 || (error_code >= 1000 && error_code < 1400)) return 'connection';
  if (status === 200) return additional > 0 ? 'overage' : 'ok';
  if (status === 429) return 'limited';
  return status >= 500 ? 'server-error' : 'refused';
}

/** Reads the quota headers of an answer. */
export function readAnswerQuota(names: QuotaHeaders, answer: Pick<Answer, 'headers'>): Quota {
  return readQuota(names, Object.entries(answer.headers));
}

/** Returns an answer as an exchange for the rules. Contains the key only if the target repeated it. */
export function makeExchange(url: string, begun: number, answer: Answer, isKeyed: boolean): Exchange {
  const { status, status_text, proto, timings, body } = answer;
  return {
    request: { method: 'GET', url, headers: [], credential: isKeyed ? 'api-key' : 'none' },
    response: {
      status,
      statusText: status_text.replace(/^\d+ /, ''),
      httpVersion: proto,
      // k6 joins lines of the same name.
      headers: Object.entries(answer.headers),
      ...(typeof body === 'string' && { body: { text: body, encoding: 'utf8' } }),
    },
    timings: { wait: timings.waiting, receive: timings.receiving, total: timings.duration },
    startedAt: new Date(begun).toISOString(),
  };
}
