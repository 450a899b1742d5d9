import type { Answer } from '../../reading/reading.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { groupProperRequests, isAnswered } from '../../relations/proper-requests.ts';
import { anyAnswer } from '../needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';
import { unsteadyBreach } from './answered.ts';
import { findFirstTries } from './first-tries.ts';
import { failedSentence } from './first-tries-words.ts';

/** Failures from which on they are reported as such; one alone is named beside the verdict. */
const leastFailed = 2;

/** Reports what is too little for the must, and one refusal alone, which no trouble of a moment explains. */
function* checkFirstTries(evidence: Evidence): Generator<CheckOutcome> {
  const { requests, failed, tooMany, refused } = findFirstTries(evidence);
  const counted = new Set<Answer>(tooMany);
  const rest = failed.filter((answer) => !counted.has(answer));
  const alone = refused.length === 1 ? refused : [];
  const noted = new Set<Answer>(rest.length + alone.length >= leastFailed ? [...rest, ...alone] : alone);
  const sentence = failedSentence([...noted], requests);
  for (const { tries } of groupProperRequests(evidence)) {
    const answered = tries.findLast(isAnswered);
    if (answered?.success) yield { judged: answered };
    for (const answer of tries)
      if (noted.has(answer)) yield { breach: unsteadyBreach(answer, tries, sentence) };
  }
}

export const firstTryRules: readonly Rule[] = [
  {
    id: 'transport/answered-at-first',
    shows: 'unanswered',
    consequence: 'form',
    section: '4',
    level: 'should',
    statement: 'A proper request is answered the first time that it is sent.',
    broken: 'Some proper requests are answered only when they are sent again',
    why: 'A client that does not repeat its requests loses these answers, and one that does has to wait.',
    exactly:
      'no two of a run’s proper requests fail at first, by a 5xx, a broken or late connection or a body that is cut off, and none is refused though it is answered too, or though the key is accepted by others of the operation and later. A refusal that goes away with the usual User-Agent or Accept-Encoding does not count, nor does one that follows wrong keys. Where so many fail that chance does not explain it, `transport/proper-requests-are-answered` reports them, except for failures away from loopback that the network may cause.',
    restsOn: ['tokens', 'history', 'latest'],
    needs: anyAnswer,
    check: checkFirstTries,
  },
];
