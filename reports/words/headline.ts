import type { RuleResult, Run } from '@candleproof/law/judge/verdict';
import { listInstants, thousands } from '@candleproof/law/reading/words';
import { findConsequence } from '@candleproof/law/rules/catalogue';
import { answeredRule } from '@candleproof/law/rules/facts';
import { formatTimes, plural } from './format.ts';
import { countMusts, formatShare, tallyRules, verdictSentence } from './tally.ts';
import { verdictWords } from './wording.ts';

/** Most names in a line; a longer list is cut to the first ones. */
const few = 3;
const first = 2;

/**
 * Returns the headline of a run in every format: its verdict, and failed shoulds beside a verdict without failed musts,
 * such as `Conformant; 2 recommendations broken: history/aligned, tokens/ids-are-unique`.
 */
export function headline(run: Run): string {
  return [verdictWords[run.verdict], ...caveats(run)].join('; ');
}

/** Returns the parts of the headline that follow the verdict: what was not judged by choice, or is known, or should hold. */
export function caveats(run: Run): string[] {
  const musts = countMusts(run);
  const isPartial = run.verdict === 'conformant' && (musts.known > 0 || musts.leftOut > 0);
  return [...(isPartial ? [formatShare(musts)] : []), ...failedShoulds(run)];
}

function failedShoulds({ verdict, rules }: Run): string[] {
  const failed = rules.filter(({ level, outcome }) => level === 'should' && outcome === 'failed');
  if (verdict === 'nonconformant' || failed.length === 0) return [];
  return [`${plural(failed.length, 'recommendation')} broken: ${listRules(failed)}`];
}

/** Returns the sentences below a headline: the reason of the verdict, the next step, and the remarks. */
export function openingSentences(run: Run): string[] {
  const next = nextStep(run);
  return [verdictSentence(run), ...(next === undefined ? [] : [next]), ...remarks(run)];
}

/**
 * Returns the remarks beside a verdict, a sentence each: what was read, what was declared about the target, what is not
 * covered, and requests beyond the key's limit.
 */
export function remarks(run: Run): string[] {
  const { target, unchosen = 0, quota } = run;
  const musts = tallyRules(run.rules, 'must').total;
  const all = [
    pageRemark(run),
    transientRemark(run),
    lockOutRemark(run),
    readRemark(run),
    poolsRemark(run),
    target.gaps === 'idle' && 'Declared with gaps: idle, so intervals that nobody observed may be missing.',
    groundRemark(run),
    budgetRemark(run),
    unchosen > 0 &&
      `Only ${thousands(musts)} of ${plural(musts + unchosen, 'must')} were chosen to be judged.`,
    apiRemark(run),
    quota &&
      quota.additional > 0 &&
      `The key has used ${plural(quota.additional, 'request')} more than its ${thousands(quota.limit)}.`,
  ];
  return all.filter((remark) => typeof remark === 'string');
}

function readRemark({ read }: Run): string | undefined {
  if (!read) return undefined;
  const { candles, answers, unreadable } = read;
  const sum = `Read ${plural(candles, 'candle')} in ${plural(answers, 'answer')}`;
  if (candles === 0) return 'No candles were read.';
  return unreadable === 0
    ? `${sum}; every time and price could be parsed.`
    : `${sum}; ${thousands(unreadable)} of them without a readable start or prices.`;
}

/** Says how many proper requests failed at first, and when, unless the finding that decides the verdict says so. */
function transientRemark({ transient, read, findings }: Run): string | undefined {
  const count = transient.reduce((total, failure) => total + failure.count, 0);
  const isSaid = findings.some(
    ({ rule, level, known, sentence }) =>
      rule === answeredRule && level === 'must' && !known && sentence !== undefined,
  );
  if (count === 0 || isSaid) return undefined;
  const instants = transient.flatMap(({ at = [] }) => at);
  const of = read?.requests === undefined ? '' : ` of ${thousands(read.requests)}`;
  const times = instants.length === 0 ? '' : `, at ${listInstants(instants, count)}`;
  const kinds = [...new Set(transient.map(({ failure }) => failure))].join(', ');
  const noun = count === 1 ? 'a transient failure' : 'transient failures';
  const requests = of === '' ? plural(count, 'proper request') : `${thousands(count)}${of} proper requests`;
  return `${requests} ${count === 1 ? 'was' : 'were'} not answered at first${times} (${kinds}): ${noun}, answered when sent again.`;
}

function lockOutRemark({ read }: Run): string | undefined {
  const { lockedOut = 0 } = read ?? {};
  if (lockedOut === 0) return undefined;
  return `The key was refused ${formatTimes(lockedOut)} after wrong keys had been tried: a lock-out, which counts as no fault.`;
}

/** Says that something else stands at the address if every success is a page, or every request is sent elsewhere. */
function pageRemark({ read, findings }: Run): string | undefined {
  if (read && read.candles > 0) return undefined;
  const always = findings.filter(({ extent }) => extent === undefined || extent.broken === extent.judged);
  const isPage = always.some(
    ({ pointer, actual }) => pointer === 'header:content-type' && actual.includes('text/html'),
  );
  const isSentOn = always.some(
    ({ pointer, actual }) => pointer === 'status' && /^status 30[1278]/.test(actual),
  );
  if (isPage)
    return 'Every success is an HTML page, such as a login or a proxy shows: this address does not lead to the API.';
  return isSentOn
    ? 'Requests are redirected, to another path or to a login; no redirect is followed.'
    : undefined;
}

/** Names unknown pools, unless the verdict's reason already names them. */
function poolsRemark({ read, reasonCode }: Run): string | undefined {
  const { unknownPools = [] } = read ?? {};
  if (unknownPools.length === 0 || reasonCode === 'rows-withheld') return undefined;
  return `The target refuses every request for ${unknownPools.join(', ')}: check the ids.`;
}

/** Says which parts of the ground the run did not request, and why nothing more was sent without the key. */
function groundRemark({ ground }: Run): string | undefined {
  const left = listNotRequested(ground);
  const ended = ground?.guessesEnded;
  const why =
    ended &&
    `Requests without the key ended after ${thousands(ended.tried)}: the last was answered ${ended.status}.`;
  const sentences = [left !== undefined && `Not requested: ${left}.`, why].filter(Boolean);
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** `inverted HOUR; wrong keys`: the parts of the ground that a run left out; undefined if there are none. */
function listNotRequested(ground: Run['ground']): string | undefined {
  return ground && ground.notRequested.length > 0 ? ground.notRequested.join('; ') : undefined;
}

/** Words what the budget omitted; rules of access come first, which a reader of a green verdict takes for granted. */
function budgetRemark({ rules, requests }: Run): string | undefined {
  const left = rules.filter(({ level, beyondBudget }) => level === 'must' && beyondBudget);
  if (left.length === 0) return undefined;
  const isDoor = ({ id }: RuleResult): boolean => findConsequence(id) === 'access';
  const ordered = left.toSorted((a, b) => Number(isDoor(b)) - Number(isDoor(a)));
  return `Not exercised within ${plural(requests.budget, 'request')}: ${listRules(ordered, 'must')}.`;
}

/** Words rules and questions that do not apply to the document, which neither passed nor failed. */
function apiRemark({ notOfApi: ids = [] }: Run): string | undefined {
  if (ids.length === 0) return undefined;
  const groups = [...new Set(ids.map((id) => id.split('/', 1)[0] ?? ''))];
  return `${thousands(ids.length)} rules and questions do not apply to this API: ${groups.join(', ')}.`;
}

function listRules(rules: readonly RuleResult[], noun?: string): string {
  const ids = rules.map(({ id }) => id);
  if (ids.length <= few) return ids.join(', ');
  const rest = ids.length - first;
  return `${ids.slice(0, first).join(', ')} and ${thousands(rest)} more${noun === undefined ? '' : ` ${noun}s`}`;
}

const ofQuietPools =
  'If this market is quiet by nature, declare it with --gaps idle, or gaps: idle in candleproof.yaml; or name a livelier pool.';

/** Returns whether every failed must concerns rows that nothing contradicts. */
function isForQuietPoolsAlone(findings: Run['findings']): boolean {
  const failed = findings.filter(({ level, known }) => level === 'must' && !known);
  return failed.length > 0 && failed.every(({ kind }) => kind === 'consistent' || kind === 'at the end');
}

const waitForReset =
  'Wait for the reset of the key’s month or use a key with requests left, then run the check again; `candleproof plan` shows what it takes.';
const checkConnection =
  'Check the base URL, the network and the proxy settings (HTTPS_PROXY, NO_PROXY), then run the check again.';
const recordAgain = 'Record the traffic again where the target answers, then judge that file.';
const recordOrDescribe =
  'For an API other than the document’s, give its own with --spec; else record the traffic again where the target answers.';
const readReason = 'See the reason above, mend it and run the check again.';
const steps: Readonly<Record<NonNullable<Run['reasonCode']>, string>> = {
  'key-refused':
    'Check that the key belongs to this target and is still good (--api-key-file or CANDLEPROOF_API_KEY), then run the check again.',
  'key-required': 'Leave --keyless away and give a key with --api-key-file, then run the check again.',
  'quota-spent': waitForReset,
  'month-spent': waitForReset,
  'month-short':
    'Wait for the reset of the key’s month or use a key with requests left, then run the check again; --allow-overage sends beyond what is left, which may be billed.',
  'certificate-refused':
    'Name the authority of its certificate with --ca-file, or caFile in candleproof.yaml, or have the certificate renewed; then run the check again.',
  'no-answer': checkConnection,
  'nothing-requested': checkConnection,
  'no-date':
    'Have the target, or the proxy before it, send a correct Date header: without one nothing tells which candles are closed.',
  'bodies-not-recorded': 'Record the traffic again with the bodies of responses in it, then judge that file.',
  'bodies-over-limit': 'Raise --max-body, then run the check again; judge a long recording in parts.',
  'rule-crashed': 'This is a defect of Candleproof: report it with the folder of this run.',
  stopped: 'Run the check again, with a longer --deadline where that ended it.',
  'musts-silenced':
    'Name a pool that is traded now, or declare quiet pools with --gaps idle, then run the check again.',
  'requests-unanswered':
    'Look at the requests that stayed unanswered, and run the check again once the target answers them: until then these musts cannot be judged.',
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
 * Returns the next step after a run that decided nothing, or that failed only for quiet pools; undefined for others.
 * Older runs without a reason code get general advice.
 */
export function nextStep(run: Pick<Run, 'verdict' | 'reasonCode'> & Partial<Run>): string | undefined {
  const { verdict, reasonCode, findings = [], entries } = run;
  if (verdict === 'nonconformant') return isForQuietPoolsAlone(findings) ? ofQuietPools : undefined;
  if (verdict !== 'inconclusive') return undefined;
  // A recording was made elsewhere, and its judge need not reach the target.
  if (entries && reasonCode === 'no-answer') return recordAgain;
  if (entries && reasonCode === 'nothing-requested') return recordOrDescribe;
  return reasonCode === undefined ? readReason : steps[reasonCode];
}
