import type { SendRequest } from '@candleproof/client/send/request-lines';
import { cheapestPath } from '@candleproof/document/spec/operation';
import { type Judged, judge, withoutEvidence } from '@candleproof/law/judge/judge';
import type { Finding } from '@candleproof/law/judge/verdict';
import type { Exchange, Recording } from '@candleproof/law/reading/exchange';
import { Readings } from '@candleproof/law/reading/reading';
import { isSameRequest } from '@candleproof/law/relations/series';
import type { Catalogue } from '@candleproof/law/rules/catalogue';
import { findMinimal } from '../explore/counterexamples.ts';
import { repeatHeaders } from '../plan/manner.ts';
import { BudgetedSender } from './budgeted-sender.ts';
import { describeTrouble, type SendTerms } from './sending.ts';

/** The result of requesting one finding's evidence again. */
export type Replayed = {
  readonly outcome: 'fixed' | 'still there' | 'cannot tell';
  readonly reason: string;
  /** The finding in the repeated evidence. */
  readonly finding?: Finding;
  readonly sent: number;
};

export type ReplayOptions = Omit<SendTerms, 'pauseMs' | 'onProgress'> & {
  /** The recording of the run that found it. */
  readonly recording: Recording;
  readonly fingerprint: string;
  /** The one rule that found it. */
  readonly law: Catalogue;
  /** Called with the number of requests before the first is sent. */
  readonly onPlan?: (requests: number) => void;
};

const nothingSent = { sent: 0, outcome: 'cannot tell' } as const;

/**
 * Sends the requests of a finding's evidence again, after one that proves that the key is accepted: first the fewest
 * whose recorded answers break the rule, and if these no longer do, all of its evidence, in its order.
 */
export async function replay(options: ReplayOptions): Promise<Replayed> {
  const { spec, recording, law, hasKey, budget, fingerprint } = options;
  const readings = new Readings();
  const judgeIt = (given: Recording): Judged =>
    judge(spec, given, { catalogue: law, replay: () => '', readings });
  const before = judgeIt(recording);
  const smallest = findSmallest(recording, (given) => findFinding(judgeIt(given), fingerprint) !== undefined);
  const evidence = selectEvidence(before, smallest);
  if (evidence.length === 0) return { ...nothingSent, reason: 'the run holds no evidence of this rule' };
  const strange = evidence.find(({ request }) => !canBeSent(request, recording.target.baseUrl));
  if (strange) {
    return {
      ...nothingSent,
      reason: `its evidence holds a ${nameRequest(strange)} request: check with --only instead`,
    };
  }
  const all = evidence.length + 1;
  if (all > budget) {
    return { ...nothingSent, reason: `its evidence takes ${all} requests, the budget is ${budget}` };
  }
  const isShorter = smallest.size > 0 && smallest.size < evidence.length;
  const isWorthIt = isShorter && all + smallest.size <= budget;
  options.onPlan?.(isWorthIt ? all + smallest.size : all);
  const sender = new BudgetedSender(options);
  const { exchanges } = sender;
  const send = (request: SendRequest): Promise<Exchange | undefined> =>
    sender.send({ ...request, freshConnection: exchanges.length === 0 });
  // Without an accepted key everything would seem repaired, or broken, for another reason.
  const light = cheapestPath(spec, options.target, Math.floor(Date.now() / 1000));
  const lit =
    light === undefined ? undefined : await send({ path: light, credential: hasKey ? 'api-key' : 'none' });
  const refusal = lit && describeTrouble(lit);
  if (refusal !== undefined) return { ...nothingSent, reason: refusal, sent: 1 };
  const judgeOutcome = async (requested: readonly Exchange[]): Promise<Omit<Replayed, 'sent'>> => {
    const begin = exchanges.length;
    for (const { request } of requested) {
      const credential = hasKey && request.credential === 'api-key' ? 'api-key' : 'none';
      await send({ ...repeatRequest(request, recording.target.baseUrl), credential });
    }
    const stopped = sender.whyCutInWords;
    if (stopped !== undefined) return { outcome: 'cannot tell', reason: stopped };
    const judged = judgeIt({ ...recording, target: options.target, exchanges: exchanges.slice(begin) });
    return decideVerdict(judged, options.fingerprint);
  };
  const first = isWorthIt ? await judgeOutcome([...smallest]) : undefined;
  const outcome = first?.outcome === 'still there' ? first : await judgeOutcome(evidence);
  return { ...outcome, sent: exchanges.length };
}

/** Lists what the rule judged and the fewest that break it, each request once unless it was sent as often. */
function selectEvidence({ appliedRules, evidence }: Judged, smallest: ReadonlySet<Exchange>): Exchange[] {
  const judged = new Set(appliedRules.flatMap((appliedRule) => [...appliedRule.judged]));
  return evidence.answers
    .filter((answer) => judged.has(answer) || smallest.has(answer.exchange))
    .filter((answer, index, all) => {
      const before = all.slice(0, index).filter((other) => isSameRequest(answer, other));
      return before.length < 2 || smallest.has(answer.exchange);
    })
    .map(({ exchange }) => exchange);
}

/**
 * Returns the fewest exchanges of a recording that hold the finding, in their order; an empty set if only something
 * between the exchanges holds it, as with counters.
 */
function findSmallest(recording: Recording, holds: (given: Recording) => boolean): ReadonlySet<Exchange> {
  const shared = { ...recording, target: { ...recording.target, soleUser: false } };
  const isFound = (exchanges: readonly Exchange[]): boolean => holds({ ...shared, exchanges });
  const { baseUrl } = recording.target;
  const sendable = recording.exchanges.filter(({ request }) => canBeSent(request, baseUrl));
  const enough = [sendable, recording.exchanges].find(isFound);
  return new Set(enough && findMinimal(enough, isFound));
}

function canBeSent({ method, body, credential, url }: Exchange['request'], baseUrl: string): boolean {
  const isOurs = credential === 'api-key' || credential === 'none' || credential === 'unknown';
  // A POST of ours with a body reads, as the document declares.
  const isRead = method === 'GET' || (method === 'POST' && body !== undefined);
  return isRead && isOurs && url.startsWith(`${baseUrl}/`);
}

/** Returns a recorded request as it is sent again. */
function repeatRequest(
  { url, method, body, headers }: Exchange['request'],
  baseUrl: string,
): Omit<SendRequest, 'credential'> {
  const repeated = repeatHeaders(headers);
  if (body === undefined) return { path: url.slice(baseUrl.length), ...repeated };
  const typed = [...repeated.headers, ['content-type', 'application/json'] as const];
  return { path: url.slice(baseUrl.length), method, body, ...repeated, headers: typed };
}

function nameRequest({ request }: Exchange): string {
  return request.credential.startsWith('trial:')
    ? `made-up key (${request.credential.slice(6)})`
    : request.method;
}

function findFinding({ findings }: Judged, fingerprint: string): Finding | undefined {
  return findings.find((finding) => finding.fingerprint === fingerprint);
}

function decideVerdict(judged: Judged, fingerprint: string): Omit<Replayed, 'sent'> {
  const finding = findFinding(judged, fingerprint);
  if (finding) return { outcome: 'still there', reason: finding.actual, finding };
  const operation = fingerprint.split(' ')[1];
  const [rule] = judged.rules;
  if (rule?.operations.some((judged) => judged === operation) !== true)
    return { outcome: 'cannot tell', reason: rule?.reason ?? withoutEvidence };
  return { outcome: 'fixed', reason: 'the same requests are answered without it' };
}
