import type { Spec } from '../contract/document/spec.ts';
import { catalogue } from '../contract/law/catalogue.ts';
import type { Rule } from '../contract/law/rule.ts';
import type { Exchange, TargetFacts } from '../contract/reading/exchange.ts';
import { gatherEvidence } from '../contract/relations/evidence.ts';

/** Groups of rules that compare answers or judge refusals, and so never apply to a single success. */
const ofSeveral = /^(rollup|inversion|errors|authentication)\//;

/** The rules for a single answer under load. */
export const singleAnswerRules: readonly Rule[] = catalogue.rules.filter(({ id }) => !ofSeveral.test(id));

export type JudgedAlone = {
  /** Indices of the broken rules in `singleAnswerRules`. */
  readonly broken: readonly number[];
  /** True if a broken rule is a must; other rules do not make an answer wrong. */
  readonly isWrong: boolean;
  /** True if the answer has a candle or token; otherwise nothing was judged. */
  readonly holdsRecord: boolean;
  /** Number of rules that crashed, which is our fault and not the target's. */
  readonly crashed: number;
};

/** Judges a single exchange. */
export function judgeAlone(spec: Spec, target: TargetFacts, exchange: Exchange): JudgedAlone {
  const evidence = gatherEvidence(spec, { target, seed: 0, exchanges: [exchange] });
  const broken: number[] = [];
  let crashed = 0;
  for (const [index, rule] of singleAnswerRules.entries()) {
    try {
      for (const outcome of rule.check(evidence)) {
        if (!('breach' in outcome)) continue;
        broken.push(index);
        break;
      }
    } catch {
      crashed += 1;
    }
  }
  const isWrong = broken.some((index) => singleAnswerRules[index]?.level === 'must');
  const holdsRecord = evidence.answers.some(({ records }) => records.length > 0);
  return { broken, isWrong, holdsRecord, crashed };
}
