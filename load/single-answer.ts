import type { Spec } from '../contract/document/spec.ts';
import { catalogue } from '../contract/law/catalogue.ts';
import type { Rule } from '../contract/law/rule.ts';
import type { Exchange, TargetFacts } from '../contract/reading/exchange.ts';
import { gatherEvidence } from '../contract/relations/evidence.ts';

/** These compare answers with each other, or judge refusals: one success alone is never evidence for them. */
const ofSeveral = /^(rollup|inversion|errors|authentication)\//;

/** The rules that an answer is judged by under load: the law's own, over an evidence of one exchange. */
export const singleAnswerRules: readonly Rule[] = catalogue.rules.filter(({ id }) => !ofSeveral.test(id));

export type JudgedAlone = {
  /** Indices of the broken rules in `singleAnswerRules`. */
  readonly broken: readonly number[];
  /** One of them is a must: the others make no answer wrong. */
  readonly isWrong: boolean;
  /** It holds a candle or a token: of one that holds none nothing was judged. */
  readonly holdsRecord: boolean;
  /** Rules that broke down themselves: ours, never the target's fault. */
  readonly crashed: number;
};

export function judgeAlone(spec: Spec, target: TargetFacts, exchange: Exchange): JudgedAlone {
  const evidence = gatherEvidence(spec, { target, seed: 0, exchanges: [exchange] });
  const broken: number[] = [];
  let crashed = 0;
  for (const [index, rule] of singleAnswerRules.entries()) {
    try {
      for (const sight of rule.check(evidence)) {
        if (!('breach' in sight)) continue;
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
