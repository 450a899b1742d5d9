import type { Run } from '../../contract/judge/verdict.ts';

const ofQuietPools =
  'If this market is quiet by nature, declare it with --gaps idle, or gaps: idle in candleproof.yaml; or name a livelier pool.';

/** Tells whether every must that failed is about rows that nothing contradicts. */
function isForQuietPoolsAlone(findings: Run['findings']): boolean {
  const failed = findings.filter(({ level, known }) => level === 'must' && !known);
  return failed.length > 0 && failed.every(({ kind }) => kind === 'consistent' || kind === 'at the end');
}

const waitForReset =
  'Wait for the reset of the key’s month or use a key with requests left, then run the check again; `candleproof plan` shows what it takes.';
const checkConnection =
  'Check the base URL, the network and the proxy settings (HTTPS_PROXY, NO_PROXY), then run the check again.';
const readReason = 'See the reason above, mend it and run the check again.';

/** The advice for the reader of each reason. */
const steps: Readonly<Record<NonNullable<Run['reasonCode']>, string>> = {
  'key-refused':
    'Check that the key belongs to this target and is still good (--api-key-file or CANDLEPROOF_API_KEY), then run the check again.',
  'key-required': 'Leave --keyless away and give a key with --api-key-file, then run the check again.',
  'quota-spent': waitForReset,
  'month-spent': waitForReset,
  'certificate-refused':
    'Name the authority of its certificate with --ca-file, or have the certificate renewed, then run the check again.',
  'no-answer': checkConnection,
  'nothing-requested': checkConnection,
  'no-date':
    'Have the target, or the proxy before it, send a correct Date header: without one nothing tells which candles are closed.',
  'bodies-not-recorded': 'Record the traffic again with the bodies of responses in it, then judge that file.',
  'bodies-over-limit': 'Raise --max-body, then run the check again.',
  'rule-crashed': 'This is a defect of Candleproof: report it with the folder of this run.',
  stopped: 'Run the check again, with a longer --deadline where that ended it.',
  'musts-silenced':
    'Name a pool that is traded now, or declare quiet pools with --gaps idle, then run the check again.',
  'rows-withheld':
    'Look at the responses of what is named: the target has rows of it, or the pools are the wrong ones. Check the pools, then ask the operator.',
  'rows-unreadable':
    'Compare the rows with the document: what it says of their times and prices is not what came.',
  'answers-broken':
    'Mend what the named rule finds, then run the check again: until then these musts cannot be judged.',
  'nothing-judged':
    'Look at the responses below: the operations that are named gave nothing to judge. Check the pools and the base URL.',
  'musts-failed': readReason,
  'no-evidence-passed': readReason,
  'load-undecided': readReason,
};

/**
 * Returns what to do about a run that decided nothing, or that failed for quiet pools alone; undefined for others. Runs
 * of before reasons had codes get the general advice.
 */
export function nextStep({
  verdict,
  reasonCode,
  findings = [],
}: Pick<Run, 'verdict' | 'reasonCode'> & Partial<Pick<Run, 'findings'>>): string | undefined {
  if (verdict === 'nonconformant') return isForQuietPoolsAlone(findings) ? ofQuietPools : undefined;
  if (verdict !== 'inconclusive') return undefined;
  return reasonCode === undefined ? readReason : steps[reasonCode];
}
