import { readFileSync } from 'node:fs';
import { type JudgedRun, runConformance } from '@candleproof/check/run/run';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import { judge } from '@candleproof/law/judge/judge';
import type { Judgement } from '@candleproof/law/judge/verdict';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { Readings } from '@candleproof/law/reading/reading';
import { catalogue } from '@candleproof/law/rules/catalogue';
import type { RunningService } from '@candleproof/reference-service/start';
import { startBuilt } from '@candleproof/reference-service/testing/built-market';
import { expect, test } from '@playwright/test';
import { createProofClient, describeTarget } from 'candleproof/kill-matrix/check-service';
import { groupKinds, listReplacements, nameKind, type Replacement } from './testing/replaced-answers.ts';

const spec = loadSpec('openapi.yaml');
const replay = (rule: string): string => rule;

/** No verdict depends on the questions. */
const rulesAlone = { ...catalogue, questions: [] };

/** Replaced answers that no must forbids, by group and replacement, with the reason why a run may stay conformant. */
const open: readonly (readonly [groups: RegExp, replacements: RegExp, reason: string])[] = [
  [
    /^(no key|wrong key|all without|all wrong|all but)/,
    /^(302|404)$/,
    '§5 requires the refusal of a request without the key; §7 leaves its status open, and neither reveals anything',
  ],
  [
    /^wrong key/,
    /^(429|closed)$/,
    'it gave no access (§5); the refusals of the other wrong keys that the run tried show that keys are compared',
  ],
  [
    /^(faulty|all faulty)/,
    /^(\[\]|204|302|404|429|closed)$/,
    '§7 leaves status, body and behavior for invalid parameters, unknown routes and methods open: they are observed',
  ],
  [
    /^faulty (from-left-out|interval-|method-)/,
    /^open$/,
    '§7 leaves invalid parameters open; rows without an interval, or for another method, break a should',
  ],
  [
    /^no key (method|slash|path)-/,
    /^(204|\[\]|429|closed)$/,
    '§5 allows no access without a key: an answer to another method or path that holds nothing is none',
  ],
  [
    /^faulty pool-with-/,
    /^open$/,
    '§7 leaves invalid parameters open; rows of a pool that nobody made break a should',
  ],
  [
    /^plain http$/,
    /^(204|302|404|429|closed)$/,
    '§5 allows access over HTTPS only: whatever holds no data is no access',
  ],
];

const exitCodes = { conformant: 0, nonconformant: 1, inconclusive: 3 } as const;

function describeCell({ verdict, reason = '' }: Judgement, [group, replacement]: readonly [string, string]) {
  const reasons = open.filter(
    ([groups, replacements]) => groups.test(group) && replacements.test(replacement),
  );
  return { code: exitCodes[verdict], words: `${group}, ${replacement}: ${verdict} ${reason}`, reasons };
}

let service: RunningService;
let healthy: JudgedRun;
let kinds: readonly string[];
let replacements: Readonly<Record<string, Replacement>>;

test.beforeAll(async () => {
  const now = '2026-03-11T15:32:20Z';
  service = await startBuilt({ seed: 3, historyDays: 37, now, quota: { limit: 1_000_000 } });
  healthy = await check((exchange) => exchange);
  const { exchanges, target } = healthy.recording;
  kinds = exchanges.map((exchange) => nameKind(spec, target, exchange));
  const latest = exchanges[kinds.findIndex((kind) => kind.startsWith('plain latest'))]?.response?.body?.text;
  replacements = listReplacements(spec, target, JSON.parse(latest ?? ''));
});
test.afterAll(() => service.close());

/** Makes a check of the service whose answers are changed on the way. */
async function check(change: Replacement, thorough = false): Promise<JudgedRun> {
  const client = createProofClient(service, 3_000);
  const send: typeof client.send = async (request) => change(await client.send(request));
  try {
    return await runConformance({
      ...{ spec, client: { send }, keys: { apiKey: service.apiKey }, seed: 1, thorough },
      ...{ target: describeTarget(service), replay, version: 'proof', pauseMs: 1, patienceMs: 5_000 },
    });
  } finally {
    await client.close();
  }
}

/** Replaces the answers of groups in every way; words the exit codes, those that went unnoticed and the reasons that allow it. */
function replaceGroups(groups: ReturnType<typeof groupKinds>) {
  const readings = new Readings();
  const unnoticed: string[] = [];
  const used = new Set<string>();
  const table = [`| replaced answers | ${Object.keys(replacements).join(' | ')} |`];
  for (const [group, isMember] of groups) {
    const codes = Object.entries(replacements).map(([name, replace]) => {
      const exchanges = healthy.recording.exchanges.map((exchange, at) =>
        isMember(kinds[at] ?? '') ? replace(exchange) : exchange,
      );
      const judged = judge(
        spec,
        { ...healthy.recording, exchanges },
        { replay, readings, catalogue: rulesAlone },
      );
      const { code, words, reasons } = describeCell(judged, [group, name]);
      for (const [, , reason] of code === 0 ? reasons : []) used.add(reason);
      if (code === 0 && reasons.length === 0) unnoticed.push(words);
      return code;
    });
    table.push(`| ${group} | ${codes.join(' | ')} |`);
  }
  return { unnoticed, used, table };
}

/** A pipeline takes all of them, and its snapshots. */
const isWhole = process.env.CI === 'true' || process.env.CANDLEPROOF_THOROUGH !== undefined;

if (!isWhole)
  test('of each fifth kind of answer none can be replaced unnoticed', () => {
    expect(healthy.run.verdict).toBe('conformant');
    const some = [...groupKinds(kinds)].filter((_, at) => at % 5 === 0);
    const { unnoticed, table } = replaceGroups(new Map(some));
    expect(unnoticed).toEqual([]);
    const known = readFileSync('tools/proof/golden/replaced-answers.txt', 'utf8').split('\n');
    expect(table.filter((line) => !known.includes(line))).toEqual([]);
  });

test('no kind of answer can be replaced unnoticed, unless the document leaves it open', {
  tag: '@endurance',
}, () => {
  test.setTimeout(120_000);
  const { unnoticed, used, table } = replaceGroups(groupKinds(kinds));
  expect(unnoticed).toEqual([]);
  expect(open.filter(([, , reason]) => !used.has(reason))).toEqual([]);
  expect(`${table.join('\n')}\n`).toMatchSnapshot('replaced-answers.txt');
});

/** Exit codes of checks whose answers are replaced while they come; the thorough test replaces every kind. */
const live: readonly (readonly [group: string, replacement: string, code: number])[] = [
  ['all histories of WEEK', '[]', 1],
  ['all histories of WEEK', 'open', 1],
  ['all histories of WEEK', '404', 3],
  ['all histories', 'open', 3],
  ['all wrong keys', 'closed', 3],
  ['all without a key', '429', 3],
  ['faulty from-left-out', '429', 3],
];

/** Makes a check in which a group of answers is replaced. */
function checkReplaced(group: string, replacement: string, thorough?: boolean): Promise<JudgedRun> {
  const isMember = groupKinds(kinds).get(group);
  const isReplaced = (exchange: Exchange): boolean =>
    isMember?.(nameKind(spec, healthy.recording.target, exchange)) === true;
  const replace = replacements[replacement] ?? ((exchange) => exchange);
  return check((exchange) => (isReplaced(exchange) ? replace(exchange) : exchange), thorough);
}

for (const [at, [group, replacement, code]] of live.entries()) {
  const title = `a check ends with ${code} where ${replacement} replaces ${group}, as does the judge of its recording`;
  test(title, { tag: at % 3 === 0 ? [] : '@endurance' }, async () => {
    for (const thorough of at === 0 ? [false, true] : [false]) {
      const { run, recording } = await checkReplaced(group, replacement, thorough);
      expect(exitCodes[run.verdict], `${thorough}: ${run.reason}`).toBe(code);
      expect(judge(spec, recording, { replay }).verdict).toBe(run.verdict);
    }
  });
}

test('no kind of answer of a running check can be replaced unnoticed @thorough', async () => {
  test.setTimeout(900_000);
  const unnoticed: string[] = [];
  for (const group of groupKinds(kinds).keys()) {
    for (const replacement of Object.keys(replacements)) {
      const { run } = await checkReplaced(group, replacement);
      const { code, words, reasons } = describeCell(run, [group, replacement]);
      if (code === 0 && reasons.length === 0) unnoticed.push(words);
    }
  }
  expect(unnoticed).toEqual([]);
});
