import type { PlayedScenario, Rehearsal, ReportedExchange } from '../rehearsal.ts';

export const hostileTarget = '/tokens?<script>alert(1)</script>&x="\u202e';

function exchange(number: number, status: number, target = '/tokens'): ReportedExchange {
  const arrived = number * 270;
  return {
    ...{ number, connection: (number % 3) + 1, method: 'GET', target, headers: [], arrived, status },
    ...(number !== 7 && { ended: arrived + 12 }),
    body: { bytes: 0, sha256: 'c'.repeat(64) },
    answerHeaders: [],
    answer: { bytes: 5120, sha256: 'a'.repeat(64) },
  };
}

const rule = {
  id: 'client/waits-as-retry-after-says',
  level: 'must',
  statement: 'After a 429 or 503 with Retry-After, the client sends nothing until that time is over.',
  why: 'A key that goes on is refused for longer, and its requests may be counted.',
  exactly: 'From the end of the answer, less 100 ms.',
} as const;

const steady: PlayedScenario = {
  id: 'steady',
  title: 'nothing is wrong: the control',
  kind: 'control',
  verdict: 'conformant',
  reason: 'no must is broken',
  requests: 9,
  client: { how: 'cut', at: 6000 },
  rules: [{ ...rule, outcome: 'unexercised', evidence: 0, reason: 'no answer said for how long to wait' }],
  findings: [],
  expectations: [],
  observations: [
    { id: 'client/same-answer-again', question: 'How often?', answer: 'no answer more than three times' },
  ],
  exchanges: Array.from({ length: 9 }, (_, at) => exchange(at + 1, 200)),
};

const rateLimited: PlayedScenario = {
  ...steady,
  id: 'rate-limited',
  title: 'from the second request on 429 with Retry-After, for 2 s',
  kind: 'trouble',
  verdict: 'nonconformant',
  reason: `breaks ${rule.id}`,
  requests: 14,
  trouble: { began: 800, ended: 2800 },
  rules: [{ ...rule, outcome: 'failed', evidence: 8 }],
  findings: [
    {
      ...{ rule: rule.id, level: rule.level, count: 8, exchange: 4, since: 3 },
      expected: 'no request for 2 s after the 429',
      actual: 'a request 0.05 s after it',
    },
  ],
  expectations: [{ what: 'stdout=<b>', outcome: 'failed', actual: 'it does not stand in stdout' }],
  exchanges: Array.from({ length: 14 }, (_, at) =>
    exchange(
      at + 1,
      at > 1 && at < 9 ? ([429, 503][at % 2] ?? 429) : 200,
      at === 3 ? hostileTarget : undefined,
    ),
  ),
  files: { stdout: 'rate-limited.stdout.txt', stderr: 'rate-limited.stderr.txt' },
};

const silent: PlayedScenario = {
  ...steady,
  id: 'gap',
  kind: 'wrong data',
  verdict: 'inconclusive',
  reason: 'the client sent nothing',
  requests: 0,
  client: { how: 'exited', code: 1, at: 140, stderr: 'Error: </pre><script>no</script>' },
  exchanges: [],
  observations: [],
};

export const sampleRehearsal: Rehearsal = {
  verdict: 'nonconformant',
  reason: `rate-limited: breaks ${rule.id}`,
  command: ['node', 'a-folder/with-a-long-name/client.mjs', '--<i>'],
  startedAt: '2026-03-11T15:32:20.000Z',
  finishedAt: '2026-03-11T15:32:40.000Z',
  seed: 1,
  forMs: 6000,
  noOverage: true,
  http: false,
  scenarios: [steady, rateLimited, silent],
  versions: { candleproof: '1.0.0', specSha256: 'b'.repeat(64) },
};
