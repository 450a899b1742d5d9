import type { Spec } from '@candleproof/document/spec/spec';
import { type Catalogue, catalogue } from '@candleproof/law/rules/catalogue';
import { ruleFacts } from '@candleproof/law/rules/facts';
import { applicableLaw } from '@candleproof/law/rules/law-of';
import type { Rule } from '@candleproof/law/rules/rule';

export type PassingLaw = {
  readonly whole: Catalogue;
  /** Rules that judge one answer at a time: applied once, when it arrives. */
  readonly ofOne: Catalogue;
  /** Rules that judge several answers: applied to the window. */
  readonly ofSeveral: Catalogue;
  /** These rules and all questions, which cost as much as the rules and wait until a caller needs the answers. */
  readonly ofAll: Catalogue;
};

/** Returns the part of a catalogue that needs no special request: only a harness sends made-up keys. */
export function passingLaw(spec: Spec, law: Catalogue = catalogue): PassingLaw {
  const applicable = applicableLaw(spec, law);
  const whole = { ...applicable, rules: applicable.rules.filter((rule) => !needsHarness(rule)) };
  const ofOne = { ...applicable, rules: whole.rules.filter(isOfOne), questions: [] };
  const ofAll = { ...whole, rules: whole.rules.filter((rule) => !isOfOne(rule)) };
  return { whole, ofOne, ofSeveral: { ...ofAll, questions: [] }, ofAll };
}

function isOfOne(rule: Rule): boolean {
  return ruleFacts(rule)?.readsOneAnswer === true;
}

function needsHarness({ needs }: Rule): boolean {
  const isTrial = needs.map(({ trial, plainHttp }) => trial !== undefined || plainHttp === true);
  return (
    (needs.length > 0 && isTrial.every((isOnTrial) => isOnTrial)) ||
    needs.some(({ trial }) => trial === 'other-key')
  );
}
