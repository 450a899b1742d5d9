import type { Level, RuleResult } from '../../../contract/judge/verdict.ts';
import { visible } from '../../words/escape.ts';
import { sectionName } from '../../words/wording.ts';
import { message, type SarifMessage } from './message.ts';

export type SarifLevel = 'error' | 'warning' | 'note';

export const sarifLevels: Readonly<Record<Level, SarifLevel>> = {
  must: 'error',
  should: 'warning',
  observe: 'note',
};

/** SARIF's reportingDescriptor: what is said of a rule whatever became of it. */
export type Descriptor = {
  readonly id: string;
  readonly shortDescription: SarifMessage;
  readonly fullDescription: SarifMessage;
  readonly help: SarifMessage;
  readonly defaultConfiguration: { readonly level: SarifLevel };
  readonly properties: { readonly tags: readonly string[]; readonly section: string };
};

/** The rule as SARIF describes it; nothing in it changes from run to run. */
export function toDescriptor({ id, level, section, statement, why }: RuleResult): Descriptor {
  const [group = ''] = id.split('/');
  return {
    id: visible(id),
    shortDescription: message(statement),
    fullDescription: message(why || statement),
    help: message(`${sectionName(section)}: ${statement} ${why}`),
    defaultConfiguration: { level: sarifLevels[level] },
    properties: { tags: [visible(group), level], section },
  };
}
