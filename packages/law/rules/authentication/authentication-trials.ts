import type { ReceivedResponse } from '../../reading/exchange.ts';
import type { Answer } from '../../reading/reading.ts';
import type { Evidence } from '../../relations/evidence.ts';
import type { Breach } from '../breach.ts';
import { answerCheck } from '../checks.ts';
import { nearMisses, otherHeaders, otherPlaces, type Trial, trialCredential } from '../error-cases.ts';
import { anyAnswer } from '../needs.ts';
import { trialNeed, withKeyElsewhere, withWrongKeys } from '../refusal-needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';
import { checkRefused } from './refused.ts';

/** Lists complete answers to requests with one of these; a target that needs no key refuses none. */
export function triedAnswers(evidence: Evidence, trials: readonly Trial[]): Answer[] {
  return listTrials(evidence, trials).filter(({ complete }) => complete);
}

function listTrials({ answers, target }: Evidence, trials: readonly Trial[]): Answer[] {
  if (target.keyless) return [];
  const wanted: readonly string[] = trials.map(trialCredential);
  return answers.filter(({ exchange }) => wanted.includes(exchange.request.credential));
}

function refusesAll(trials: readonly Trial[]): Rule['check'] {
  return (evidence) =>
    checkRefused(listTrials(evidence, trials), ({ status, exchange }) => {
      const name = exchange.request.credential.replace('trial:', '');
      return { request: `the trial ${name}`, expected: `a refusal (${name})`, actual: `status ${status}` };
    });
}

/** Judges all headers at once only where none of them alone shows which it was. */
const checkPlaces: Rule['check'] = (evidence) => {
  const alone = triedAnswers(evidence, otherHeaders);
  const isClear = alone.some(({ success }) => success);
  const places = otherPlaces.filter((place) => !isClear || place !== 'in-other-headers');
  return refusesAll([...places, ...otherHeaders])(evidence);
};

/** Returns whether a later success shows that the key itself was valid all the while. */
const checkCapitals = answerCheck(
  (evidence) => triedAnswers(evidence, ['header-in-capitals']),
  'status',
  ({ status = 0, success, index }, { answers }) => {
    if (success) return 'holds';
    const good = answers.findLast(
      (answer) => answer.success && answer.exchange.request.credential === 'api-key',
    );
    return (status === 401 || status === 403) && good && good.index > index
      ? { expected: 'status 200, as for the name in small letters', actual: `status ${status}` }
      : { undecided: `the name of the header in capitals ended in ${status}` };
  },
);

/** The marker of a key in an exchange, since its text never leaves the client. A plain search is the fastest. */
const markerBegins = '[redacted:';
const marker = /\[redacted:(api-key|trial:[a-z-]+)\]/;

function* checkSilence({ answers }: Evidence): Generator<CheckOutcome> {
  for (const answer of answers) {
    const { response } = answer.exchange;
    if (!answer.complete || !response) continue;
    const place = findEcho(response);
    if (place !== undefined) yield { breach: echoBreach(answer, place) };
    else if (answer.headers && answer.body) yield { judged: answer };
  }
}

/** Returns the pointer to the first place that repeats a key. */
function findEcho({ headers, body }: ReceivedResponse): string | undefined {
  const line = headers.find(([, value]) => marker.test(value));
  if (line) return `header:${line[0].toLowerCase()}`;
  return body?.text.includes(markerBegins) && marker.test(body.text) ? '' : undefined;
}

function echoBreach(answer: Answer, pointer: string): Breach {
  return { answer, pointer, expected: 'no key, nor a part of one', actual: 'a key that was sent' };
}

export const trialRules: readonly Rule[] = [
  {
    id: 'authentication/wrong-keys-are-refused',
    shows: 'let in',
    section: '5',
    level: 'must',
    statement: 'A key that differs from a valid one in any character is refused.',
    broken: 'Wrong keys are accepted',
    why: 'If part of the key is enough, the rest need not be guessed.',
    exactly:
      "no 2xx for 32 random characters, 32 percent signs, the word `null`, an empty key or, on loopback alone, `' OR '1'='1`, nor for the valid key with its last character removed or exchanged, one or hundreds of characters added, its case changed or lowered, a soft hyphen inserted, another ending or beginning, its characters in reverse, a blank in place of a character or inserted, or after another key in a comma-separated list. On loopback a run tries one of each of five kinds, so that four seeds in a row try all; elsewhere at most one; a thorough run tries all.",
    restsOn: ['key'],
    needs: withWrongKeys,
    check: refusesAll(nearMisses),
  },
  {
    id: 'authentication/key-only-in-its-header',
    shows: 'let in',
    section: '5',
    level: 'must',
    statement:
      'A key in the query, in a cookie, as a bearer token, as the user of Basic authorization or in another header is not accepted.',
    broken: 'The key is accepted outside its header',
    why: 'The document requires it in x-api-key; URLs and cookies end up in logs and browsers.',
    exactly:
      'no 2xx for the valid key in the query (under the name of its header, `api_key` and `apikey`), nor in a cookie, as `Authorization: Bearer`, in `api-key` and `x-auth-token`: these are tried in one request, and one by one if it succeeds; nor as the user of `Authorization: Basic` with an empty password. Requested on loopback, elsewhere only with `--expose-key`.',
    restsOn: ['key'],
    needs: withKeyElsewhere,
    check: checkPlaces,
  },
  {
    id: 'authentication/header-name-in-any-case',
    shows: 'refused',
    consequence: 'headers',
    section: '',
    level: 'should',
    statement: 'The key header is accepted in capitals too.',
    broken: 'The key header is refused in capitals',
    why: 'Header names are case-insensitive (RFC 9110 §5.1), and some clients send them in capitals.',
    exactly: '`X-API-KEY` gives the same access as `x-api-key`.',
    restsOn: ['key'],
    noFaultReason:
      'Node lowercases header names before the service sees them; only a thorough run sends the request in capitals.',
    needs: [{ ...trialNeed('header-in-capitals'), thoroughly: true }],
    check: checkCapitals,
  },
  {
    id: 'authentication/no-answer-tells-the-key',
    shows: 'disclosed',
    section: '5',
    level: 'should',
    uses: ['key'],
    statement: 'No answer repeats the key that was sent.',
    broken: 'Answers repeat the key',
    why: 'Answers are logged, cached and pasted into reports, where a key does not belong.',
    exactly: 'no header or body of an answer contains the key that was sent, or a recognizable part of it.',
    restsOn: ['key'],
    needs: [...anyAnswer, ...withWrongKeys, ...withKeyElsewhere],
    check: checkSilence,
  },
];
