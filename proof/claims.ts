import { catalogue } from '../contract/law/catalogue.ts';
import type { BlindSpot, Witness } from '../results/kill-matrix.ts';
import type { Fault } from '../service/faults/fault.ts';

/** What a fault says it breaks or alters, each at the level that the catalogue gives it; what is unknown is left out. */
export function claimsOf({ breaks, alters = [] }: Pick<Fault, 'breaks' | 'alters'>): Witness[] {
  return [...breaks, ...alters].flatMap((id): Witness[] => {
    const rule = catalogue.rules.find((rule) => rule.id === id);
    if (rule) return [{ id, level: rule.level }];
    return catalogue.questions.some((question) => question.id === id) ? [{ id, level: 'observe' }] : [];
  });
}

/** A fault that takes more samples than any check has requests. */
export function blindSpotOf({ id, number, title, reason = '' }: Fault): BlindSpot {
  return { id, number, title, reason };
}
