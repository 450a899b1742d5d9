import type { Catalogue } from '../../contract/law/catalogue.ts';
import { ruleFacts } from '../../contract/law/facts.ts';
import type { Rule } from '../../contract/law/rule.ts';
import type { DamageKind, Mark } from './damage.ts';

/**
 * Returns the damage that a breach of a rule is; undefined for a rule that says nothing of single ranges. Missing rows are
 * reckoned from the rows themselves, to their exact ranges.
 */
export function damageBy(rule: Rule): DamageKind | undefined {
  const damage = ruleFacts(rule)?.damage;
  return damage === 'none' ? undefined : damage;
}

/** Returns whether a row was filled with zeros or with another row's values: it explains that it agrees with no other. */
export function isFilled({ kind, explains }: Mark): boolean {
  return kind === 'copy' || explains === 'row';
}

/** Returns whether a mark says already that the prices or the volume of its rows are wrong. */
export function explainsValues(mark: Mark): boolean {
  return isFilled(mark) || mark.kind === 'rollup' || mark.explains === 'values';
}

/** Returns the rules of a catalogue that an audit judges by. */
export function lawOfRanges({ rules, ...law }: Catalogue): Catalogue {
  return { ...law, rules: rules.filter((each) => damageBy(each) !== undefined), questions: [] };
}
