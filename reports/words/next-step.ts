import type { Run } from '../../contract/judge/verdict.ts';

const ofQuietPools =
  'If this market is quiet by nature, declare it with --gaps idle, or gaps: idle in candleproof.yaml; or name a livelier pool.';

/** Every must that failed is about rows that nothing contradicts. */
function isForQuietPoolsAlone(findings: Run['findings']): boolean {
  const failed = findings.filter(({ level, known }) => level === 'must' && !known);
  return failed.length > 0 && failed.every(({ kind }) => kind === 'consistent' || kind === 'at the end');
}

/** What a reason says, and what its reader can do about it. */
const steps: readonly (readonly [reason: RegExp, step: string])[] = [
  [
    /key was refused/,
    'Check that the key belongs to this target and is still good (--api-key-file or CANDLEPROOF_API_KEY), then run the check again.',
  ],
  [/asks for a key/, 'Leave --keyless away and give a key with --api-key-file, then run the check again.'],
  [
    /quota.*spent|leaves no request/,
    'Wait for the reset of the key’s month or use a key with requests left, then run the check again; `candleproof plan` shows what it takes.',
  ],
  [
    /certificate/,
    'Name the authority of its certificate with --ca-file, or have the certificate renewed, then run the check again.',
  ],
  [
    /did not answer|does not answer|no proper request/,
    'Check the base URL, the network and the proxy settings (HTTPS_PROXY, NO_PROXY), then run the check again.',
  ],
  [
    /no Date header/,
    'Have the target, or the proxy before it, send a correct Date header: without one nothing tells which candles are closed.',
  ],
  [/holds no bodies/, 'Record the traffic again with the bodies of responses in it, then judge that file.'],
  [/--max-body/, 'Raise --max-body, then run the check again.'],
  [/the rule itself failed/, 'This is a defect of Candleproof: report it with the folder of this run.'],
  [/^stopped/, 'Run the check again, with a longer --deadline where that ended it.'],
  [
    /^no latest candle is of the present/,
    'Name a pool that is traded now, or declare quiet pools with --gaps idle, then run the check again.',
  ],
  [
    /^rows were withheld/,
    'Look at the responses of what is named: the target has rows of it, or the pools are the wrong ones. Check the pools, then ask the operator.',
  ],
  [
    /no readable start or prices/,
    'Compare the rows with the document: what it says of their times and prices is not what came.',
  ],
  [
    /^the answers break/,
    'Mend what the named rule finds, then run the check again: until then these musts cannot be judged.',
  ],
  [
    /budget|within \d+ request/,
    'Run the check again with a larger --budget; `candleproof plan` shows what it takes.',
  ],
  [
    /nothing could be judged|could not be judged|is answered/,
    'Look at the responses below: the operations that are named gave nothing to judge. Check the pools and the base URL.',
  ],
];

/** Names what to do about a run that decided nothing, or that failed for quiet pools alone; undefined for others. */
export function nextStep({
  verdict,
  reason = '',
  findings = [],
}: Pick<Run, 'verdict' | 'reason'> & Partial<Pick<Run, 'findings'>>): string | undefined {
  if (verdict === 'nonconformant') return isForQuietPoolsAlone(findings) ? ofQuietPools : undefined;
  if (verdict !== 'inconclusive') return undefined;
  const [, step] = steps.find(([pattern]) => pattern.test(reason)) ?? [];
  return step ?? 'See the reason above, mend it and run the check again.';
}
