import { oncePer } from '@candleproof/law/reading/once';
import type { Need, Range } from '@candleproof/law/rules/rule';
import { numberValue, type Value, type Values } from './combinations.ts';
import { factorNames, type Manner } from './manner.ts';
import type { PlannedRequest } from './planned-request.ts';

/** The age of a range and how its edges lie. */
const rangeFacts: Readonly<Record<Range, { readonly age: string; readonly alignment: string }>> = {
  recent: { age: 'open', alignment: 'ahead of now' },
  'since the week': { age: 'open', alignment: 'ahead of now' },
  all: { age: 'open', alignment: 'ahead of now' },
  'closed week': { age: 'a week', alignment: 'aligned' },
  'first half': { age: 'a week', alignment: 'inside' },
  'second half': { age: 'a week', alignment: 'inside' },
  'some minutes': { age: 'a week', alignment: 'inside' },
  'before the week': { age: 'a week', alignment: 'aligned' },
  'long ago': { age: 'weeks', alignment: 'aligned' },
  instant: { age: 'a week', alignment: 'equal' },
  'around the first row': { age: 'weeks', alignment: 'inside' },
  'before any pool': { age: 'before any row', alignment: 'aligned' },
  'after now': { age: 'ahead', alignment: 'ahead of now' },
};

/** Lists the values of the factors that a need fixes; factors that do not apply are absent. */
export const listFacts = oncePer(({ need, isFirst }: PlannedRequest): readonly Value[] => {
  const { role, interval, inverted, range } = need;
  const facts: Readonly<Record<string, string>> =
    role === 'tokens'
      ? { operation: role }
      : {
          operation: role,
          interval: interval ?? 'none',
          inverted: String(inverted ?? 'absent'),
          pool: isFirst ? 'first' : 'further',
          width: nameWidth(need),
          ...(range ? rangeFacts[range] : { age: 'open' }),
        };
  return Object.entries(facts).map(([name, value]) => numberValue(name, value));
});

function nameWidth({ interval, range }: Need): string {
  if (range === undefined || range === 'instant') return 'one row';
  if (interval === 'day' || interval === 'week' || range === 'some minutes') return 'some rows';
  return interval === 'minutes' && range !== 'recent' ? 'thousands' : 'a hundred';
}

/** Lists the values of a manner. */
export function listWays(manner: Manner): Value[] {
  return factorNames.map((factor) => numberValue(factor, manner[factor]));
}

/** Lists the values of a request in a manner. */
export function listValues(planned: PlannedRequest, manner: Manner): Values {
  return { facts: listFacts(planned), ways: listWays(manner) };
}
