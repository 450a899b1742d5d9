import type { OperationId, OperationName } from '@candleproof/document/spec/spec';
import type { Outcome, Verdict } from '@candleproof/law/judge/verdict';
import type { Level } from '@candleproof/law/rules/facts';

/** Describes an operation in the words of its document, or by its id in older runs without them. */
export function describeOperation(at: {
  operation: OperationId;
  named?: OperationName | undefined;
}): OperationName {
  return at.named ?? { title: at.operation, request: at.operation };
}

const sectionTitles: Readonly<Record<string, string>> = {
  '1': 'What the service does',
  '2': 'Resources',
  '2.1': 'Token record',
  '2.2': 'Candlestick record',
  '4': 'Endpoints',
  '4.1': 'List tokens',
  '4.2': 'Historical candlesticks of a V2 pool',
  '4.3': 'Latest candlestick of a V1 pool',
  '5': 'Authentication',
  '7': 'Errors',
  '8': 'Limits',
  '9': 'Versioning',
};

/** `§2.2 Candlestick record`; the empty section is good practice beyond the document. */
export function sectionName(section: string): string {
  if (!/^\d/.test(section)) return section === '' ? 'Good practice' : section;
  return `§${section} ${sectionTitles[section] ?? ''}`.trimEnd();
}

export const verdictWords: Readonly<Record<Verdict, string>> = {
  conformant: 'Conformant',
  nonconformant: 'Nonconformant',
  inconclusive: 'Inconclusive',
};

/** The meaning of every verdict, for a first-time reader. */
export const verdictMeanings: Readonly<Record<Verdict, string>> = {
  conformant: 'no must failed that could be put to the test',
  nonconformant: 'at least one must failed that the baseline does not know',
  inconclusive:
    'the target could not be judged: unreachable, key refused, quota spent, rows withheld, or musts that its own faults leave unjudged',
};

export const levelMeanings: Readonly<Record<Level, string>> = {
  must: 'the document states it, or its definitions leave no other value',
  should: 'HTTP, arithmetic or good practice; a failure does not change the verdict',
  observe: 'the document leaves it open; the answer is noted and only its change is news',
};

/** Worst first: the order of bars, legends and counts. */
export const outcomes: readonly Outcome[] = [
  'failed',
  'surprised',
  'inconclusive',
  'known',
  'unexercised',
  'passed',
];

/** Words of the outcomes, whose names in run.json scripts rely on. */
export const outcomeWords: Readonly<Record<Outcome, string>> = {
  failed: 'failed',
  surprised: 'known failing, now passes',
  inconclusive: 'inconclusive',
  known: 'known',
  unexercised: 'not tested',
  passed: 'passed',
};

export const outcomeMeanings: Readonly<Record<Outcome, string>> = {
  failed: 'broken at least once',
  surprised: 'listed as a known failing, yet it passed',
  inconclusive: 'evidence was there and left it open',
  known: 'failed, as the baseline says it does',
  unexercised: 'not testable by these answers',
  passed: 'held wherever it was judged',
};
