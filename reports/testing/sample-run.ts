import type { BaselineResult, Observation, Run } from '@candleproof/law/judge/verdict';
import { hostile } from './hostile.ts';
import { sampleFindings } from './sample-findings.ts';
import { sampleRules } from './sample-rules.ts';

const observations: readonly Observation[] = [
  {
    id: 'candle/end-stamps',
    question: 'What do the end times of closed and open candles mean?',
    answer: 'closed: start of the next, open: the last observation',
    changed: true,
    before: 'closed: start of the next, open: start of the next',
  },
  {
    id: 'candle/extra-fields',
    question: 'Which undocumented fields are there?',
    answer: hostile.script,
    changed: false,
  },
  {
    id: 'transport/cross-origin',
    question: 'May a web page from another origin read the answers?',
    answer: hostile.markdown,
    changed: false,
  },
];

const baseline: BaselineResult = {
  target: 'testnet',
  known: [
    {
      fingerprint: 'authentication/key-is-required getLatestV1PoolCandle status',
      reason: 'agreed with the operator',
      until: '2026-01-31',
      status: 'known',
    },
    {
      fingerprint: 'history/complete listV2PoolCandles',
      reason: 'the outage of October',
      until: '2025-11-01',
      status: 'expired',
    },
    {
      fingerprint: 'transport/length-agrees listTokens header:content-length',
      reason: '',
      until: '2026-01-31',
      status: 'surprised',
    },
  ],
  strayPins: [],
};

/** A run with many findings, every outcome, and texts that try to escape from a report. */
export const sampleRun: Run = {
  verdict: 'nonconformant',
  reason: '6 musts failed: candle/average-is-within-range, candle/high-is-highest, …',
  target: { name: `testnet ${hostile.bidi}`, baseUrl: 'https://api.testnet.example/dex' },
  seed: 20_251_112,
  startedAt: '2025-11-12T13:05:07.120Z',
  finishedAt: '2025-11-12T13:05:19.845Z',
  requests: { sent: 21, budget: 48 },
  versions: { candleproof: '0.1.0', catalogue: '000000000001', specSha256: '9f2c'.repeat(16) },
  rules: sampleRules,
  findings: sampleFindings,
  observations,
  transient: [
    {
      operation: 'listTokens',
      named: { title: 'List tokens', request: 'GET /tokens' },
      failure: 'status 503',
      count: 2,
    },
  ],
  baseline,
};

const { reason: _, baseline: __, ...unreasoned } = sampleRun;

/** A target that passes every rule. */
export const cleanRun: Run = {
  ...unreasoned,
  verdict: 'conformant',
  target: { name: 'local', baseUrl: 'https://127.0.0.1:8443' },
  rules: sampleRules
    .filter((sampleRule) => !sampleRule.id.startsWith('hostile'))
    .map(({ reason: _reason, ...rest }) => ({ ...rest, outcome: 'passed', evidence: 7 })),
  findings: [],
  transient: [],
  observations: observations.slice(0, 1).map(({ before: _before, ...rest }) => ({ ...rest, changed: false })),
};

/** A target that could not be judged. */
export const inconclusiveRun: Run = {
  ...cleanRun,
  verdict: 'inconclusive',
  reason: 'the API key was refused (status 403)',
  reasonCode: 'key-refused',
  rules: cleanRun.rules.map((rule) => ({
    ...rule,
    outcome: 'unexercised',
    evidence: 0,
    reason: 'not testable by these answers',
  })),
  observations: [],
};

const [first] = sampleFindings;

/** A run of one rule that is broken at two fields. */
export const inTwoPlaces: Run = {
  ...sampleRun,
  findings: first ? [first, { ...first, pointer: '/*/high', fingerprint: `${first.fingerprint}-high` }] : [],
};
