import { formatReason, type Reason } from '@candleproof/law/judge/reason';
import type { Finding, Run } from '@candleproof/law/judge/verdict';
import { expect, test } from '@playwright/test';
import { renderHtml } from '../formats/html.ts';
import { renderJunit } from '../formats/junit.ts';
import { renderSarif } from '../formats/sarif.ts';
import { renderSummary } from '../formats/summary.ts';
import { renderTerminal } from '../formats/terminal.ts';
import { cleanRun, inconclusiveRun, sampleRun } from '../testing/sample-run.ts';
import { headline, nextStep, remarks } from './headline.ts';

/** Returns the clean run with another result for these rules. */
function withRules(change: object, ...ids: string[]): Run {
  return {
    ...cleanRun,
    rules: cleanRun.rules.map((rule) => (ids.includes(rule.id) ? { ...rule, ...change } : rule)),
  };
}

const shoulds = cleanRun.rules.filter(({ level }) => level === 'should').map(({ id }) => id);
const musts = cleanRun.rules.filter(({ level }) => level === 'must').map(({ id }) => id);

test('failed shoulds are named beside the verdict if they are few', () => {
  expect(headline(cleanRun)).toBe('Conformant');
  const failing = (count: number) => headline(withRules({ outcome: 'failed' }, ...shoulds.slice(0, count)));
  expect(failing(1)).toBe('Conformant; 1 recommendation broken: transport/length-agrees');
  expect(failing(3)).toBe(`Conformant; 3 recommendations broken: ${shoulds.slice(0, 3).join(', ')}`);
  expect(failing(5)).toBe(
    `Conformant; 5 recommendations broken: ${shoulds.slice(0, 2).join(', ')} and 3 more`,
  );
  expect(headline(withRules({ outcome: 'known' }, ...shoulds))).toBe('Conformant');
});

test('a verdict that a must decides is headed by it alone', () => {
  expect(headline(sampleRun)).toBe('Nonconformant');
  expect(headline(inconclusiveRun)).toBe('Inconclusive');
});

test('musts that the budget left out are named, the key that is required first', () => {
  const curbed = (...ids: string[]): Run => ({
    ...withRules({ outcome: 'unexercised', beyondBudget: true }, ...ids),
    requests: { sent: 10, budget: 11 },
  });
  const keyRule = 'authentication/key-is-required';
  expect(remarks(curbed(...musts))).toEqual([
    `Not exercised within 11 requests: ${keyRule}, ${musts[0]} and ${musts.length - 2} more musts.`,
  ]);
  expect(remarks(curbed('history/complete', keyRule))).toEqual([
    `Not exercised within 11 requests: ${keyRule}, history/complete.`,
  ]);
  expect(remarks(withRules({ outcome: 'unexercised' }, keyRule))).toEqual([]);
});

test('musts that were not chosen are counted', () => {
  expect(remarks({ ...cleanRun, unchosen: 50 })).toEqual([
    `Only ${musts.length} of ${musts.length + 50} musts were chosen to be judged.`,
  ]);
});

test('requests that were not answered at first are counted in the first lines, with when they were sent', () => {
  const of503 = { operation: 'listTokens', failure: 'status 503', count: 1, of: 2 } as const;
  const alone: Run = { ...cleanRun, transient: [{ ...of503, at: ['2026-03-11T10:02:07.120Z'] }] };
  const said =
    '1 proper request was not answered at first, at 10:02:07 (status 503): a transient failure, answered when sent again.';
  expect(remarks(alone)).toEqual([said]);
  expect(renderTerminal(alone, { color: false, width: Number.POSITIVE_INFINITY }).split('\n')[2]).toContain(
    said,
  );
  const read = { candles: 0, answers: 0, unreadable: 0, requests: 48 };
  const reset = { operation: 'listV2PoolCandles', failure: 'reset in phase wait', count: 2, of: 30 } as const;
  const several: Run = {
    ...cleanRun,
    read,
    transient: [of503, { ...reset, at: ['2026-03-11T10:02:11.020Z', '2026-03-11T10:02:07.120Z'] }],
  };
  expect(remarks(several)).toContain(
    '3 of 48 proper requests were not answered at first, at 10:02:07 and 10:02:11 (status 503, reset in phase wait): transient failures, answered when sent again.',
  );
});

test('a key that is refused after wrong ones is said to be locked out, once', () => {
  const read = { candles: 1, answers: 1, unreadable: 0, lockedOut: 3 };
  expect(remarks({ ...cleanRun, read })).toContain(
    'The key was refused 3 times after wrong keys had been tried: a lock-out, which counts as no fault.',
  );
});

test('what went beyond the key’s limit is said', () => {
  const quota = { limit: 2000, remaining: 0, additional: 1045 };
  expect(remarks({ ...cleanRun, quota })).toEqual(['The key has used 1,045 requests more than its 2,000.']);
  expect(remarks({ ...cleanRun, quota: { ...quota, additional: 0 } })).toEqual([]);
});

test('every format is headed by the same words', () => {
  const run = { ...withRules({ outcome: 'failed' }, 'transport/length-agrees'), unchosen: 3 };
  const words = 'Conformant; 15 of 18 judged; 1 recommendation broken: transport/length-agrees';
  const [remark = ''] = remarks(run);
  const page = renderHtml(run);
  expect(page).toContain(`<title>✓ ${words}: local`);
  expect(page).toContain(
    '<p class="facts-line">15 of 18 judged · 1 recommendation broken: transport/length-agrees · ',
  );
  expect(renderTerminal(run, { color: false, width: 120 })).toMatch(
    new RegExp(`^✓ ${words}  local  https://127\\.0\\.0\\.1:8443\\n`),
  );
  expect(renderSummary(run).split('\n')[0]).toBe(`## ✅ ${words}: \`local\``);
  expect(renderJunit(run)).toContain(`<property name="headline" value="${words}"/>`);
  expect(renderSarif(run)).toContain(`"headline": "${words}. ${remark}"`);
  const short = [
    page,
    renderTerminal(run, { color: false, width: 120 }),
    renderSummary(run),
    renderJunit(run),
  ];
  for (const text of short) expect(text).toContain(remark);
});

test('a headline longer than the terminal is wide is broken between words', () => {
  const run = withRules({ outcome: 'failed' }, ...shoulds.slice(0, 3));
  const lines = renderTerminal(run, { color: false, width: 60 }).split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
  const at = lines.indexOf('  local  https://127.0.0.1:8443');
  expect(lines.slice(0, at).join(' ')).toBe(`✓ ${headline(run)}`);
});

test('an unknown pool is named unless the verdict names it already', () => {
  const read = { candles: 5, answers: 1, unreadable: 0, unknownPools: ['V2 pool 88'] };
  const words = 'The target refuses every request for V2 pool 88: check the ids.';
  expect(remarks({ ...sampleRun, read })).toContain(words);
  expect(remarks({ ...inconclusiveRun, read, reasonCode: 'rows-withheld' })).not.toContain(words);
});

const silence = { withheld: [], unreadable: 0, candles: 3, musts: [] };

const steps: readonly (readonly [reason: Reason, words: string, step: RegExp])[] = [
  [{ code: 'key-refused', status: 403 }, 'the API key was refused (status 403)', /--api-key-file/],
  [
    { code: 'key-required', status: 401 },
    'the target asks for a key (status 401), though it was said to need none',
    /--keyless/,
  ],
  [{ code: 'quota-spent' }, 'the quota or the rate limit is spent (status 429)', /reset/],
  [
    { code: 'month-spent', remaining: 0, limit: 20 },
    'the month leaves no request for a check: 0 of 20 remain, kept for others',
    /reset/,
  ],
  [
    {
      ...{ code: 'month-short', sent: 10, unsent: 36, remaining: 10, limit: 1000 },
      ...{ reset: Date.UTC(2026, 10, 1) - 1, kept: 0, reserved: 0 },
    },
    "the key's month left 10 of 1,000 requests until 2026-10-31T23:59:59.999Z: 36 planned were not sent",
    /--allow-overage/,
  ],
  [
    { code: 'certificate-refused', failure: 'certificate (self-signed)' },
    'the target did not answer: certificate (self-signed)',
    /--ca-file/,
  ],
  [
    { code: 'no-answer', failure: 'unreachable (ECONNREFUSED)' },
    'the target did not answer: unreachable (ECONNREFUSED)',
    /base URL/,
  ],
  [{ code: 'nothing-requested' }, 'no proper request to any of the operations was made', /base URL/],
  [
    { code: 'bodies-not-recorded' },
    'this recording holds no bodies; record it with embedded content',
    /bodies/,
  ],
  [
    { code: 'bodies-over-limit', answers: 1 },
    '1 answer was left unjudged, since all together pass what a run keeps: --max-body raises it, and a recording is judged in parts',
    /--max-body/,
  ],
  [
    { code: 'rule-crashed', rule: 'candle/x', crash: 'the rule itself failed: lost the thread' },
    'candle/x: the rule itself failed: lost the thread',
    /defect of Candleproof/,
  ],
  [
    {
      code: 'no-date',
      ...silence,
      musts: [{ cause: 'no-date', text: 'no Date header that can be used', rules: ['a', 'b', 'c'] }],
    },
    'no Date header that can be used: 3 musts could not be judged: a, b, c',
    /Date header/,
  ],
  [
    { code: 'rows-withheld', ...silence, withheld: ['the token list (no readable row in 2 answers)'] },
    'rows were withheld: the token list (no readable row in 2 answers)',
    /ask the operator/,
  ],
  [
    { code: 'rows-unreadable', ...silence, unreadable: 1 },
    '1 of 3 candles have no readable start or prices',
    /times and prices/,
  ],
  [
    {
      code: 'answers-broken',
      ...silence,
      musts: [{ cause: 'answers-broken', text: 'the answers break candle/x', rules: ['a'] }],
    },
    'the answers break candle/x: 1 must could not be judged: a',
    /named rule/,
  ],
  [
    {
      code: 'requests-unanswered',
      ...silence,
      musts: [
        { cause: 'requests-unanswered', text: 'requests stayed unanswered (reset)', rules: ['a', 'b'] },
      ],
    },
    'requests stayed unanswered (reset): 2 musts could not be judged: a, b',
    /answers them/,
  ],
  [
    {
      code: 'musts-silenced',
      ...silence,
      musts: [{ cause: 'silence', text: 'no latest candle is of the present', rules: ['a'] }],
    },
    'no latest candle is of the present: 1 must could not be judged: a',
    /traded now/,
  ],
  [
    { code: 'stopped', sent: 3, cause: 'the deadline of 9 s passed' },
    'stopped after 3 requests: the deadline of 9 s passed',
    /--deadline/,
  ],
  [
    { code: 'nothing-judged', operations: ['listTokens'], ends: ['status 404'] },
    'nothing could be judged of listTokens (status 404)',
    /pools and the base URL/,
  ],
  [{ code: 'load-undecided', doubts: ['something else'] }, 'something else', /mend it/],
];

for (const [reason, words, step] of steps) {
  test(`the reason ${reason.code} has its words and its advice`, () => {
    expect(formatReason(reason)).toBe(words);
    expect(nextStep({ verdict: 'inconclusive', reasonCode: reason.code })).toMatch(step);
  });
}

test('a run of before reasons had codes gets the general advice', () => {
  expect(nextStep({ verdict: 'inconclusive' })).toMatch(/mend it/);
});

test('a recording without a request of the document is met with the way to name another one', () => {
  const entries = { judged: 4, skipped: [] };
  const step = nextStep({ verdict: 'inconclusive', reasonCode: 'nothing-requested', entries } as never);
  expect(step).toMatch(/--spec/);
});

test('a run that decided has no next step', () => {
  expect(nextStep({ verdict: 'conformant' })).toBeUndefined();
  expect(nextStep({ verdict: 'nonconformant', reasonCode: 'musts-failed' })).toBeUndefined();
});

test('a page in the place of the API is said to be one', () => {
  const [finding] = sampleRun.findings;
  const page = {
    pointer: 'header:content-type',
    actual: '"text/html"',
    extent: { broken: 8, judged: 8, unit: 'answer' },
  };
  const at = (change: object): string =>
    remarks({
      ...cleanRun,
      read: { candles: 0, answers: 8, unreadable: 0 },
      findings: [{ ...finding, ...page, ...change } as Finding],
    }).join(' ');
  expect(at({})).toContain('this address does not lead to the API');
  expect(at({ extent: { broken: 7, judged: 8, unit: 'answer' } })).not.toContain('HTML');
  expect(at({ actual: '"text/plain"' })).not.toContain('HTML');
  const redirect = { pointer: 'status', actual: 'status 302, which leads to https://login.example/' };
  expect(at(redirect)).toContain('Requests are redirected');
  expect(at({ ...redirect, extent: { broken: 7, judged: 8, unit: 'answer' } })).not.toContain('redirected');
});
