import { oncePer } from '../../reading/once.ts';
import type { Answer } from '../../reading/reading.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { refusesKey } from '../../relations/proper-requests.ts';
import { trialCredential } from '../error-cases.ts';

/** Refusals of the key without an answer to it between them, in order. */
type Spell = readonly [Answer, ...Answer[]];

/**
 * Finds proper requests that were refused because wrong keys had been tried: a service may lock out clients that guess.
 * The refusals begin only after a wrong key, and either at once or never to come back.
 */
export const findLockedOut = oncePer((evidence: Evidence): ReadonlySet<Answer> => {
  const trials = evidence.answers.filter(isWrongKey).map(({ index }) => index);
  const [firstTrial = Number.POSITIVE_INFINITY] = trials;
  const { spells, answered } = findSpells(evidence);
  if (spells.some(([first]) => first.index < firstTrial)) return new Set();
  const isAtOnce = ([first]: Spell): boolean => {
    const before = answered.findLast((index) => index < first.index) ?? -1;
    return trials.some((trial) => trial > before && trial < first.index);
  };
  return new Set(spells.filter((spell) => spells.length === 1 || isAtOnce(spell)).flat());
});

function findSpells({ answers }: Evidence): { spells: readonly Spell[]; answered: readonly number[] } {
  const spells: [Answer, ...Answer[]][] = [];
  const answered: number[] = [];
  let spell: Answer[] | undefined;
  for (const answer of answers) {
    if (!answer.entitled || !answer.complete || (answer.status ?? 500) >= 500) continue;
    if (!refusesKey(answer)) {
      answered.push(answer.index);
      spell = undefined;
    } else if (spell) spell.push(answer);
    else {
      spell = [answer];
      spells.push(spell as [Answer, ...Answer[]]);
    }
  }
  return { spells, answered };
}

/** Returns whether a wrong key was refused; another key of ours is none. */
function isWrongKey({ exchange, success }: Answer): boolean {
  const { credential } = exchange.request;
  return credential.startsWith('trial:') && credential !== trialCredential('other-key') && !success;
}
