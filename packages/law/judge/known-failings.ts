import type { Breach } from '../rules/breach.ts';
import { namePlace } from '../rules/breach.ts';
import { catalogue } from '../rules/catalogue.ts';
import { ruleFacts, ruleGroup } from '../rules/facts.ts';
import type { AppliedRule } from './apply-rule.ts';
import { findGround, findKeptPointer } from './failing.ts';
import type { Examined } from './judge.ts';
import { isWithin, readRegion } from './region.ts';
import type { FailingPlace, Finding, KnownFailing } from './verdict.ts';

type Found = Pick<Finding, 'rule' | 'operation' | 'pointer' | 'fingerprint' | 'places'>;

/** The place of a pointer in the fingerprint of a finding, which is how failings were listed before. */
const pointers = /^(\/|header:|status$)/;

/** Returns whether two lines name one failing as people copy them: editors take a last blank away. */
export function isSameFailing(a: string, b: string): boolean {
  return a.trimEnd() === b.trimEnd();
}

/** Lists the places of a finding; one of a run of before they were reported is known by its fingerprint alone. */
export function listPlaces({ places, fingerprint }: Found): readonly FailingPlace[] {
  return places ?? [{ failing: fingerprint.trimEnd(), met: [''] }];
}

/** Returns whether known failings together stand for all places of a finding. */
export function coversFinding(known: readonly KnownFailing[], finding: Found): boolean {
  return listPlaces(finding).every(({ failing, met }) =>
    met.every((place) => known.some((entry) => coversPlace(entry, finding, { failing, met: [place] }))),
  );
}

/** Returns whether a known failing stands for a place of a finding. */
export function coversPlace(entry: KnownFailing, finding: Found, { failing, met }: FailingPlace): boolean {
  if (isSameFailing(entry.fingerprint, failing)) return true;
  const [rule, operation, words] = splitFailing(entry.fingerprint);
  const [, placed] = splitFailing(failing);
  // If an operation breaks a rule, its answers to faulty requests do not differ.
  const isOfOperation = operation === placed || operation === finding.operation;
  if (rule !== finding.rule || !isOfOperation) return false;
  const region = readKeptRegion(words, finding);
  return region !== undefined && met.every((place) => isWithin(readRegion(place), region));
}

/** Reads the part of an operation that the words of a failing stand for; undefined if they name another field. */
function readKeptRegion(words: string, { rule, pointer }: Found): ReturnType<typeof readRegion> | undefined {
  const kept = findKeptPointer(catalogue.rules.find(({ id }) => id === rule) ?? {}, pointer);
  if (kept === '') return readRegion(pointers.test(words) ? '' : words);
  if (words !== kept && !words.startsWith(`${kept} `)) return undefined;
  return readRegion(words.slice(kept.length + 1));
}

/**
 * Returns whether a run shows that a failing is gone: its rule held wherever it was met before, and wherever else the
 * run judged it. A rule that compares answers may find nothing telling in some minute: while others of its group fail
 * in the same operation, it is not gone.
 */
export function isGone(
  { fingerprint, met }: KnownFailing,
  { rule, judged, breaches }: AppliedRule,
  { evidence, findings }: Pick<Examined, 'evidence' | 'findings'>,
): boolean {
  const [, operation, words] = splitFailing(fingerprint);
  const isOfEntry = (breach: Breach): boolean => {
    const place = namePlace(breach);
    return !rule.namesFields || words === place || words.startsWith(`${place} `);
  };
  if (breaches.some(isOfEntry)) return false;
  const { readsOneAnswer, readsHeads } = ruleFacts(rule) ?? {};
  const isAlike = (finding: Finding): boolean =>
    finding.operation === operation && ruleGroup(finding.rule) === ruleGroup(rule.id);
  if (!readsOneAnswer && !readsHeads && findings.some(isAlike)) return false;
  if (!met) return [...judged].some(({ requested }) => requested?.operation === operation);
  const seen = new Set(
    [...judged].flatMap((answer) => {
      const ground = findGround(rule, answer, evidence);
      return ground.operation === operation ? [ground.name] : [];
    }),
  );
  return met.length > 0 && met.every((place) => seen.has(place));
}

/** Splits the text of a failing into rule, operation and what follows. */
function splitFailing(text: string): [rule: string, operation: string, words: string] {
  const [rule = '', operation = '', ...words] = text.trimEnd().split(' ');
  return [rule, operation, words.join(' ')];
}
