import { MONDAY } from '../market/interval.ts';
import { isZone } from './admission/quota.ts';

/**
 * What the service does where the document is silent. Every combination is a healthy service;
 * tests run others than ours to see that nobody takes a choice for a promise.
 */
export type Choices = {
  /** A request needs a key that was issued; where it needs none, one that is known is still counted. */
  readonly keyRequired: boolean;
  /** Answer to a request without a usable key. */
  readonly missingKeyStatus: 401 | 403;
  /** RFC 9457 problem details, or a bare `{ "message" }`. */
  readonly errorBody: 'problem' | 'message';
  /** Seconds after the Unix epoch at which some week begins; whole days. */
  readonly weekAnchor: number;
  /** Which rows belong to a range: floor_L(from) <= E <= to, or from <= S < to. */
  readonly membership: 'end-in-range' | 'start-in-range';
  /** The bucket that is still filling is part of a history that reaches it. */
  readonly openInHistory: boolean;
  /**
   * E of the open row: its last sample's instant, or the end of its bucket. With the former, S and E are equal
   * as long as the sample at the bucket's start is the only one.
   */
  readonly openEnd: 'last-sample' | 'interval-end';
  /** Fields beside the documented ones: `id` in candles, `name` and `createdAt` in tokens. */
  readonly extraFields: boolean;
  /** Zone of the calendar month in which requests are counted: a name of the IANA database. */
  readonly quotaZone: string;
  /** A request beyond the month's limit is served and counted, or refused with 429 and counted. */
  readonly overLimit: 'served' | 'refused';
  /** Order of a history's rows by their start. */
  readonly order: 'ascending' | 'descending';
};

export const OUR_CHOICES: Choices = {
  keyRequired: true,
  missingKeyStatus: 401,
  errorBody: 'problem',
  weekAnchor: MONDAY,
  membership: 'end-in-range',
  openInHistory: true,
  openEnd: 'last-sample',
  extraFields: false,
  quotaZone: 'UTC',
  overLimit: 'served',
  order: 'ascending',
};

/** A choice that the service cannot carry out. */
export class UnusableChoice extends Error {
  override readonly name = 'UnusableChoice';
}

/** Our choices with some replaced. Throws UnusableChoice for a week that would cut through days, or an unknown zone. */
export function choicesWith(changed: Partial<Choices> = {}): Choices {
  const choices = { ...OUR_CHOICES, ...changed };
  if (choices.weekAnchor % 86_400 !== 0) {
    throw new UnusableChoice(
      `weekAnchor ${choices.weekAnchor} is not a whole number of days: use a multiple of 86400.`,
    );
  }
  if (!isZone(choices.quotaZone)) {
    throw new UnusableChoice(
      `quotaZone "${choices.quotaZone}" is no time zone: use a name such as UTC or America/New_York.`,
    );
  }
  return choices;
}
