import { readFileSync } from 'node:fs';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import type { Judged } from '@candleproof/law/judge/judge';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { loadBreachTables } from '@candleproof/law/worlds/breach-case';
import type { Fault } from '@candleproof/reference-service/faults/fault';
import { FAULTS } from '@candleproof/reference-service/faults/registry';
import { isFoundAsClaimed } from '@candleproof/reports/kill-matrix/facts';
import { describeCause, findCauses, findLeading } from '@candleproof/reports/words/causes';
import { expect, test } from '@playwright/test';
import { listClaims } from 'candleproof/kill-matrix/kill-matrix';
import { listWitnesses } from 'candleproof/kill-matrix/stage';
import { FaultJudge } from './testing/judged-faults.ts';
import { halfRight, wrongTitles } from './testing/title-readings.ts';

/** Faults that a check finds only by adapting to what it sees, which faults.test.ts does over HTTPS. */
const foundByAdapting = ['F132'];

/** Each check draws some of its requests: what the first one does not show, the second one does. */
const seeds = [1, 2];

const judge = new FaultJudge(loadSpec('openapi.yaml'));

/** Returns the first judgement in which a fault is found as it claims, or else the last one. */
async function findFault(fault: Fault): Promise<{ judged: Judged; isFound: boolean }> {
  const breaks = listClaims(fault);
  for (const seed of seeds) {
    const judged = await judge.judge(fault, seed);
    const isFound = isFoundAsClaimed({ breaks, foundBy: listWitnesses(judged) });
    if (isFound || seed === seeds.at(-1)) return { judged, isFound };
  }
  throw new Error('there is no seed');
}

/** Formats what explains the findings, and each of them without its numbers, which depend on the plan and the market. */
function formatFound({ findings, observations, explanations = [] }: Judged): string[] {
  const found = findings.map(
    ({ rule, operation, pointer, expected, actual }) =>
      `${rule} ${operation ?? '-'} ${pointer}: ${maskNumbers(actual)} instead of ${maskNumbers(expected)}`,
  );
  const changed = observations.flatMap(({ id, changed }) => (changed ? [id] : []));
  const causes = explanations.map(({ sentence }) => `= ${sentence}`);
  return [...causes, ...[...new Set([...found, ...changed])].sort()];
}

/**
 * Formats the first line that a report says of a fault beside what it names as fields: the defect or transformation, and the part.
 * `read` is how somebody read it who knows the fault.
 */
function formatTitle({ number, title }: Fault, judged: Judged): string[] {
  const causes = findCauses(judged);
  const cause = findLeading(judged, causes)?.cause ?? causes[0];
  if (!cause) return [];
  const explanation = judged.explanations?.find(({ sentence }) => cause.sentence?.startsWith(sentence));
  const { interval, inverted, fields = [], where = '' } = explanation ?? {};
  const part = [interval, inverted && 'inverted', fields.join(' '), where].filter(Boolean).join('; ');
  return [
    `${number} ${title}`,
    `  ${read(number, cause.sentence)}: ${maskNumbers(describeCause(cause, judged))}`,
    ...(explanation ? [`  ${JSON.stringify(explanation.transformation)} ${part}`] : []),
  ];
}

function read(number: string, sentence: string | undefined): string {
  if (sentence === undefined) return 'cause not identified';
  if (wrongTitles.includes(number)) return 'wrong';
  return halfRight.includes(number) ? 'half right' : 'right';
}

function maskNumbers(text: string): string {
  return text
    .slice(0, 160)
    .replace(/\d+(\.\d+)?(e[+-]?\d+)?/g, '#')
    .replace(/\n/g, ' ');
}

const shown = FAULTS.filter(({ shows }) => shows !== 'many samples');

/** Expects that faults are found by what they break, and a healthy service of nothing. */
async function findFaults(faults: readonly Fault[]): Promise<{ lines: string[]; titles: string[] }> {
  const [lines, titles]: [string[], string[]] = [[], []];
  for (const fault of faults) {
    const { judged, isFound } = await findFault(fault);
    expect(isFound, fault.number).toBe(!foundByAdapting.includes(fault.number));
    lines.push(`${fault.number} ${fault.id}`, ...formatFound(judged).map((line) => `  ${line}`));
    titles.push(...formatTitle(fault, judged));
  }
  for (const healthy of await judge.judgeHealthy()) expect(formatFound(healthy)).toEqual([]);
  return { lines, titles };
}

/** A pipeline takes all of them, and its snapshots. */
const isWhole = process.env.CI === 'true' || process.env.CANDLEPROOF_THOROUGH !== undefined;

if (!isWhole)
  test('each fifth fault is found by what it breaks, with what was expected and what came', async () => {
    const { lines, titles } = await findFaults(shown.filter((_, at) => at % 5 === 0));
    expect(readFileSync('tools/proof/golden/found-faults.txt', 'utf8').split('\n')).toEqual(
      expect.arrayContaining(lines),
    );
    expect(readFileSync('tools/proof/golden/titles.txt', 'utf8').split('\n')).toEqual(
      expect.arrayContaining(titles),
    );
  });

test('each fault is found by what it breaks, with what was expected and what came', {
  tag: '@endurance',
}, async () => {
  test.setTimeout(180_000);
  const { lines, titles } = await findFaults(shown);
  expect(`${lines.join('\n')}\n`).toMatchSnapshot('found-faults.txt');
  expect(`${titles.join('\n')}\n`).toMatchSnapshot('titles.txt');
  const count = (reading: string): number =>
    titles.filter((line) => line.startsWith(`  ${reading}: `)).length;
  const all = titles.filter((line) => line.startsWith('F')).length;
  expect(count('right') / all).toBeGreaterThanOrEqual(0.85);
  expect(count('wrong') / all).toBeLessThanOrEqual(0.03);
});

test('every rule is broken by a fault or by a breach of its tables', async () => {
  const { breaches } = await loadBreachTables();
  const found = readFileSync('tools/proof/golden/found-faults.txt', 'utf8').matchAll(/^ {2}(\S+) \S+ .*: /gm);
  const broken = new Set([...breaches.map(({ rule }) => rule), ...[...found].map(([, rule = '']) => rule)]);
  expect(catalogue.rules.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual([]);
});
