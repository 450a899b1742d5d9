import { thousands } from '../reading/words.ts';

/**
 * The reason of a verdict as data. Every room that decides gives a code with its facts; `formatReason` alone words it,
 * and no text is ever matched: advice and pages choose by the code, which run.json holds as `reasonCode`.
 */
export type Reason =
  | { readonly code: 'musts-failed'; readonly rules: readonly string[] }
  | { readonly code: 'nothing-requested' }
  | { readonly code: 'no-answer' | 'certificate-refused'; readonly failure: string }
  | { readonly code: 'key-refused' | 'key-required'; readonly status: number | undefined }
  | { readonly code: 'quota-spent' }
  | { readonly code: 'rule-crashed'; readonly rule: string; readonly crash: string }
  | { readonly code: 'bodies-over-limit'; readonly answers: number }
  | { readonly code: 'bodies-not-recorded' }
  | {
      readonly code: 'nothing-judged';
      readonly operations: readonly string[];
      readonly ends: readonly string[];
    }
  | ({ readonly code: SilenceCode } & Silence)
  | { readonly code: 'stopped'; readonly sent: number; readonly cause: string }
  | { readonly code: 'month-spent'; readonly remaining: number; readonly limit: number }
  | ({ readonly code: 'month-short'; readonly sent: number; readonly unsent?: number } & LeftMonth)
  | { readonly code: 'no-evidence-passed' }
  | { readonly code: 'load-undecided'; readonly doubts: readonly string[] };

export type ReasonCode = Reason['code'];

/** The requests that a key's month left: `kept` as the reserve, `reserved` for others; `reset` in Unix ms. */
type LeftMonth = {
  readonly remaining: number;
  readonly limit: number;
  readonly reset: number;
  readonly kept: number;
  readonly reserved: number;
};

/** The heaviest part of a silence: it decides which advice helps. */
type SilenceCode =
  | 'no-date'
  | 'rows-withheld'
  | 'rows-unreadable'
  | 'answers-broken'
  | 'requests-unanswered'
  | 'musts-silenced';

/** Musts that the target left unjudged, and the rows that it withheld or that could not be read. */
export type Silence = {
  /** Names of what came without a readable row. */
  readonly withheld: readonly string[];
  readonly unreadable: number;
  readonly candles: number;
  readonly musts: readonly SilencedMusts[];
};

/** Musts that one cause left unjudged. */
export type SilencedMusts = {
  readonly cause: 'no-date' | 'answers-broken' | 'requests-unanswered' | 'silence';
  readonly text: string;
  readonly rules: readonly string[];
};

/** Returns the reason of a silence; undefined if nothing was silenced. */
export function makeSilenceReason(silence: Silence): Reason | undefined {
  const { withheld, unreadable, musts } = silence;
  if (withheld.length === 0 && unreadable === 0 && musts.length === 0) return undefined;
  return { code: chooseCode(silence), ...silence };
}

function chooseCode({ withheld, unreadable, musts }: Silence): SilenceCode {
  if (musts.some(({ cause }) => cause === 'no-date')) return 'no-date';
  if (withheld.length > 0) return 'rows-withheld';
  if (unreadable > 0) return 'rows-unreadable';
  const cause = musts[0]?.cause;
  return cause === undefined || cause === 'silence' ? 'musts-silenced' : cause;
}

/** Returns a reason in words, the same everywhere. */
export function formatReason(reason: Reason): string {
  switch (reason.code) {
    case 'musts-failed':
      return `${count(reason.rules.length, 'must')} failed: ${reason.rules.join(', ')}`;
    case 'nothing-requested':
      return 'no proper request to any of the operations was made';
    case 'no-answer':
    case 'certificate-refused':
      return `the target did not answer: ${reason.failure}`;
    case 'key-required':
      return `the target asks for a key (status ${reason.status}), though it was said to need none`;
    case 'key-refused':
      return `the API key was refused (status ${reason.status})`;
    case 'quota-spent':
      return 'the quota or the rate limit is spent (status 429)';
    case 'rule-crashed':
      return `${reason.rule}: ${reason.crash}`;
    case 'bodies-over-limit':
      return `${reason.answers} ${reason.answers === 1 ? 'answer was' : 'answers were'} left unjudged, since all together pass what a run keeps: --max-body raises it, and a recording is judged in parts`;
    case 'bodies-not-recorded':
      return 'this recording holds no bodies; record it with embedded content';
    case 'nothing-judged': {
      const ends = reason.ends.join(', ');
      return `nothing could be judged of ${reason.operations.join(', ')}${ends && ` (${ends})`}`;
    }
    case 'stopped':
      return `stopped after ${reason.sent} request${reason.sent === 1 ? '' : 's'}: ${reason.cause}`;
    case 'month-spent':
      return `the month leaves no request for a check: ${reason.remaining} of ${reason.limit} remain, kept for others`;
    case 'month-short':
      return formatShort(reason);
    case 'no-evidence-passed':
      return 'no answer that passed was evidence for a must';
    case 'load-undecided':
      return reason.doubts.join('; ');
    default:
      return formatSilence(reason);
  }
}

function formatShort(short: LeftMonth & { readonly sent: number; readonly unsent?: number }): string {
  const { sent, unsent, remaining, limit, reset, kept, reserved } = short;
  const others = [
    ...(kept > 0 ? [`${thousands(kept)} are its reserve`] : []),
    ...(reserved > 0 ? [`${thousands(reserved)} are reserved or under way`] : []),
  ];
  const left = `${thousands(remaining)} of ${thousands(limit)} requests until ${nameInstant(reset)}`;
  const month = [left, ...others].join(', ');
  return unsent === undefined
    ? `the key's month leaves no more than ${count(sent, 'request')}: it has ${month}`
    : `the key's month left ${month}: ${thousands(unsent)} planned were not sent`;
}

/** Returns an instant as text; a reset that is no time in ms stays the number that it is. */
function nameInstant(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString();
}

function formatSilence({ withheld, unreadable, candles, musts }: Silence): string {
  return [
    ...(withheld.length > 0 ? [`rows were withheld: ${withheld.join('; ')}`] : []),
    ...(unreadable > 0
      ? [`${thousands(unreadable)} of ${count(candles, 'candle')} have no readable start or prices`]
      : []),
    ...musts.map(
      ({ text, rules }) => `${text}: ${count(rules.length, 'must')} could not be judged: ${rules.join(', ')}`,
    ),
  ].join('; ');
}

function count(number: number, noun: string): string {
  return `${thousands(number)} ${noun}${number === 1 ? '' : 's'}`;
}
