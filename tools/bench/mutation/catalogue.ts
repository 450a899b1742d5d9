import { isDeepStrictEqual } from 'node:util';
import type { Evidence } from '@candleproof/law/relations/evidence';
import { catalogue as law } from '@candleproof/law/rules/catalogue';
import { between, live, type RuleOutcome, seen, switches } from './switchboard.ts';

export * from '@candleproof/law/rules/catalogue';

type Check = (evidence: Evidence) => unknown;

/** The functions of rules and questions by id. */
const looks = new Map<string, Check>([
  ...law.rules.map(({ id, check }): [string, Check] => [id, (evidence) => [...check(evidence)]]),
  ...law.questions.map(({ id, answer }): [string, Check] => [id, answer]),
]);

/** The parts of the catalogue that are data. */
export const data = JSON.stringify([law.rules, law.questions]);

/** Returns the catalogue, in which rules that the active mutant cannot affect repeat their result for the same evidence. */
export const catalogue = {
  ...law,
  rules: law.rules.map((rule) => ({
    ...rule,
    check: (evidence: Evidence) => summarizeOutcome(rule.id, evidence) as ReturnType<typeof rule.check>,
  })),
  questions: law.questions.map((question) => ({
    ...question,
    answer: (evidence: Evidence) =>
      summarizeOutcome(question.id, evidence) as ReturnType<typeof question.answer>,
  })),
};

function summarizeOutcome(id: string, evidence: Evidence): unknown {
  const memory = readMemory(evidence);
  const isLive = live.ids === undefined || live.ids.has(id);
  const found = (isLive ? undefined : memory.get(id)) ?? attributed(id, evidence);
  if (live.ids === undefined || !isLive) memory.set(id, found);
  if ('thrown' in found) throw found.thrown;
  return found.value;
}

/** Returns whether rules report the same with and without the active mutant, so that the judgment is the same, too. */
export function reportSame(ids: Iterable<string>, evidence: Evidence): boolean {
  const memory = readMemory(evidence);
  for (const id of ids) {
    const before = memory.get(id);
    if (before === undefined || !isDeepStrictEqual(attributed(id, evidence), before)) return false;
  }
  return true;
}

function readMemory(evidence: Evidence): Map<string, RuleOutcome> {
  const memory = seen.get(evidence) ?? new Map<string, RuleOutcome>();
  seen.set(evidence, memory);
  return memory;
}

/** Attributes the coverage during `work` to this rule in the current test. */
function attributed(id: string, evidence: Evidence): RuleOutcome {
  const test = switches.currentTestId;
  if (test !== undefined) switches.currentTestId = `${test}${between}${id}`;
  try {
    return { value: looks.get(id)?.(evidence) };
  } catch (thrown) {
    return { thrown };
  } finally {
    if (test !== undefined) switches.currentTestId = test;
  }
}
