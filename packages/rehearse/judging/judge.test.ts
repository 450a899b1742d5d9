import { expect, test } from '@playwright/test';
import type { Play } from '../law/client-rule.ts';
import type { JudgedExpectation, PlayedScenario } from '../rehearsal.ts';
import type { ClientScenario } from '../scenarios/scenario.ts';
import { scenarios } from '../scenarios/scenario-catalogue.ts';
import { makePlay } from '../testing/plays.ts';
import { decideOverallVerdict, decideVerdict, judgePlay } from './judge.ts';

function findScenario(id: string): ClientScenario {
  const found = scenarios.find((scenario) => scenario.id === id);
  if (!found) throw new Error(`there is no ${id}`);
  return found;
}

function judged(id: string, play: Play, expectations: readonly JudgedExpectation[] = []) {
  return decideVerdict(findScenario(id), play, { ...judgePlay(play), expectations });
}

const refused = [{}, { arrived: 50, status: 429, retryAfter: 2 }];
const gone = { ended: 100, end: { how: 'exited', code: 0 } } as const;
const met = { what: 'exit=0', outcome: 'passed', actual: 'exit code 0' } as const;

test('a client that ends before its trouble can be judged does not pass', () => {
  const trouble = { began: 50, ended: 2050, isAnnounced: true };
  const play = makePlay(refused, { ...gone, trouble });
  expect(judged('rate-limited', play)).toEqual({
    ...{ verdict: 'inconclusive', unasked: true },
    reason:
      'client/waits-as-retry-after-says was not tested: the client ended before that time was over; state with --expect what it must do',
  });
  expect(judged('rate-limited', play, [met]).verdict).toBe('conformant');
  const waited = makePlay([...refused, { arrived: 2100 }], { trouble });
  expect(judged('rate-limited', waited).verdict).toBe('conformant');
});

test('a month that is not used up is inconclusive', () => {
  const spent = [{ remaining: 1 }, { arrived: 9000, remaining: 0 }];
  expect(judged('quota-low', makePlay([{}], { noOverage: true }))).toEqual({
    verdict: 'inconclusive',
    reason:
      'client/stays-within-its-quota was not tested: no answer said that nothing is left; state with --expect what it must do',
  });
  expect(judged('quota-low', makePlay(spent, { noOverage: true })).verdict).toBe('conformant');
  expect(judged('quota-low', makePlay(spent))).toMatchObject({ verdict: 'inconclusive', unasked: true });
});

test('wrong data without an expectation is inconclusive, as is a control without a good answer', () => {
  expect(judged('gap', makePlay([{}]))).toEqual({
    ...{ verdict: 'inconclusive', unasked: true },
    reason: 'state with --expect what the client must do',
  });
  expect(judged('gap', makePlay([{}]), [met]).verdict).toBe('conformant');
  expect(judged('steady', makePlay([{ status: 401 }]))).toEqual({
    verdict: 'inconclusive',
    reason: 'no request was answered well, but with 401: the key is in CANDLEPROOF_API_KEY',
  });
  expect(judged('steady', makePlay([{}])).verdict).toBe('conformant');
});

test('a client that sent nothing is pointed to the address, or to the trust that its stderr lacks', () => {
  const decide = (stderr: string): string =>
    decideVerdict(
      findScenario('steady'),
      makePlay([]),
      { ...judgePlay(makePlay([])), expectations: [] },
      stderr,
    ).reason;
  expect(decide('TypeError: Invalid URL')).toBe('the client sent nothing to CANDLEPROOF_BASE_URL');
  for (const stderr of [
    'javax.net.ssl.SSLHandshakeException: PKIX path building failed: unable to find valid certification path',
    'tls: failed to verify certificate: x509: certificate signed by unknown authority',
  ])
    expect(decide(stderr)).toContain(
      'does not trust the certificate: have it trust the file in SSL_CERT_FILE',
    );
});

test('a rehearsal counts the scenarios that failed or decided nothing, and names a single one', () => {
  const scenario = (verdict: 'conformant' | 'nonconformant' | 'inconclusive') => ({
    ...{ id: 'slow', reason: 'why', verdict },
  });
  const [good, bad, open] = [scenario('conformant'), scenario('nonconformant'), scenario('inconclusive')];
  const reason = (...all: ReturnType<typeof scenario>[]): string => decideOverallVerdict(all, false).reason;
  expect(reason(good, open, open)).toBe('2 of 3 scenarios decided nothing; none failed');
  expect(reason(bad, open, bad)).toBe('2 of 3 scenarios failed; 1 decided nothing');
  expect(reason(good, open)).toBe('slow: why');
});

test('every trouble names existing rules', () => {
  const ids = judgePlay(makePlay([])).rules.map(({ id }) => id);
  for (const { id, kind, about = [] } of scenarios)
    expect([id, about.length > 0, about.filter((rule) => !ids.includes(rule))]).toEqual([
      ...[id, kind === 'trouble', []],
    ]);
});

test('a scenario that lacks a flag decides the verdict only if it was selected', () => {
  const well = { id: 'steady', verdict: 'conformant', reason: 'no must is broken' } as const;
  const open = {
    ...{ id: 'gap', verdict: 'inconclusive', unasked: true },
    reason: 'state with --expect what the client must do',
  } as const satisfies Partial<PlayedScenario>;
  expect(decideOverallVerdict([well, open], false)).toEqual({
    verdict: 'conformant',
    reason: '1 undecided without --expect or --no-overage',
  });
  expect(decideOverallVerdict([well, open], true).verdict).toBe('inconclusive');
  expect(decideOverallVerdict([open], false).verdict).toBe('inconclusive');
});
