import { isRefusal } from '@candleproof/check/run/sending';
import type { Finding } from '@candleproof/law/judge/verdict';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { readQuota } from '@candleproof/law/reading/quota';
import { isCandleAnswer } from '@candleproof/law/reading/reading';
import { thousands } from '@candleproof/law/reading/words';
import type { Evidence } from '@candleproof/law/relations/evidence';
import { day } from '../results/calendar.ts';
import type { ProbeFailure, ProbeOutcome } from '../results/probe-record.ts';
import type { Watch } from './watch.ts';

/** The conclusion of a slot's exchanges about their target. */
export type Conclusion = {
  readonly outcome: Extract<ProbeOutcome, 'ok' | 'degraded' | 'failed' | 'limited'>;
  readonly failure?: ProbeFailure;
  /** Rules at must that were broken, those that a baseline knows included. */
  readonly rules: readonly string[];
  /** Causes of `degraded`: ids of rules at should that no baseline knows, and missed objectives. */
  readonly degradedBy?: readonly string[];
};

/** The end of a request, as far as it decides the conclusion. */
type Ended = Pick<Exchange, 'failure'> & { readonly response?: { readonly status: number } | undefined };

type ExchangeClass = 'answered' | 'limited' | ProbeFailure;

/** An answer that can be judged; else why it cannot: a failure of the service, or our quota or key. */
export function classify({ response, failure }: Ended): ExchangeClass {
  if (failure) return { phase: failure.phase, class: failure.kind };
  const status = response?.status ?? 0;
  if (status === 200) return 'answered';
  return status === 429 || isRefusal(status) ? 'limited' : { phase: 'status', class: String(status) };
}

/**
 * The worst that any of the exchanges shows: no answer, a wrong one, none for us, a poor one.
 * @param missed what makes it a poor one besides: indicators whose objective it missed, rules that others judged
 */
export function conclude(
  exchanges: readonly Exchange[],
  findings: readonly Finding[],
  missed: readonly string[],
): Conclusion {
  return concludeClasses(exchanges.map(classify), findings, missed);
}

/** Concludes from the classes of exchanges, for callers that keep no exchanges. */
function concludeClasses(
  standings: readonly ExchangeClass[],
  findings: readonly Pick<Finding, 'rule' | 'level' | 'known'>[],
  missed: readonly string[],
): Conclusion {
  const failure = standings.find((standing) => typeof standing === 'object');
  const musts = findings.filter(({ level }) => level === 'must');
  const rules = ruleIds(musts);
  if (failure) return { outcome: 'failed', failure, rules };
  const unknown = musts.find(({ known }) => known === undefined);
  if (unknown) return { outcome: 'failed', failure: { phase: 'contract', class: unknown.rule }, rules };
  if (standings.includes('limited')) return { outcome: 'limited', rules };
  const shoulds = findings.filter(({ level, known }) => level === 'should' && known === undefined);
  const degradedBy = [...ruleIds(shoulds), ...missed];
  return degradedBy.length > 0 ? { outcome: 'degraded', rules, degradedBy } : { outcome: 'ok', rules };
}

function ruleIds(findings: readonly Pick<Finding, 'rule'>[]): string[] {
  return [...new Set(findings.map(({ rule }) => rule))].toSorted();
}

/** Explains why nothing was judged: a history without candles neither breaks nor exercises a rule. */
export function explainUndecided({ answers }: Pick<Evidence, 'answers'>): string | undefined {
  const empty = answers.find(
    (answer) => isCandleAnswer(answer) && answer.requested.role === 'history' && answer.records.length === 0,
  );
  if (!empty) return undefined;
  return `nothing to judge: ${new URL(empty.exchange.request.url).pathname} was answered without a candle`;
}

/**
 * Returns why a 429 refused us, by the counters: the quota is spent only if they say so. Reads those of the answer
 * itself, else the newest that the key's answers reported; undefined if there are none, or no 429.
 */
export async function limitReason(
  exchanges: readonly Exchange[],
  key: string | undefined,
  { spec, store, clock }: Pick<Watch, 'spec' | 'store' | 'clock'>,
): Promise<string | undefined> {
  const refused = exchanges.findLast(({ response }) => response?.status === 429);
  if (!refused?.response) return undefined;
  const { remaining } = readQuota(spec.quota, refused.response.headers);
  if (remaining !== undefined) return describeRemaining(remaining, '');
  const now = clock.now();
  const kept = key === undefined ? [] : await store.quotas({ from: now - day, to: now + 1 });
  const newest = kept.filter((quotaRecord) => quotaRecord.key === key && quotaRecord.resetAt > now).at(-1);
  return newest && describeRemaining(newest.remaining, ' when last counted');
}

function describeRemaining(remaining: number, when: string): string {
  if (remaining === 0) return 'the quota is spent';
  return `rate limited (429): ${thousands(remaining)} requests of the month were left${when}`;
}
