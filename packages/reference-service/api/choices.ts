import { MONDAY } from '../market/candle.ts';
import { isTimeZone } from './admission/quota.ts';

/**
 * Behavior that the document leaves open. Every combination is a healthy service; tests run other combinations than
 * OUR_CHOICES to show that no rule depends on one.
 */
export type Choices = {
  /** Requests need an issued key. If they do not, a known key is still counted. */
  readonly keyRequired: boolean;
  /** Status of the answer to a request without a valid key. */
  readonly missingKeyStatus: 401 | 403;
  /** RFC 9457 problem details, or a bare `{ "message" }`. */
  readonly errorBody: 'problem' | 'message';
  /** Unix time in seconds at which a week begins; a whole number of days. */
  readonly weekAnchor: number;
  /** Selects the rows of a range: floor_L(from) <= E <= to, or from <= S < to. */
  readonly membership: 'end-in-range' | 'start-in-range';
  /** A history that extends to the open bucket includes it. */
  readonly openInHistory: boolean;
  /**
   * E of the open row: the time of its last sample, or the end of its bucket. With the former, S and E are equal while
   * the bucket holds only the sample at its start.
   */
  readonly openEnd: 'last-sample' | 'interval-end';
  /** Adds undocumented fields: `id` to candles, `name` and `createdAt` to tokens. */
  readonly extraFields: boolean;
  /** IANA name of the time zone whose calendar months requests are counted in. */
  readonly quotaZone: string;
  /** Requests beyond the month's limit are served, or refused with 429. Both are counted. */
  readonly overLimit: 'served' | 'refused';
  /** Order of a history's rows, by start. */
  readonly order: 'ascending' | 'descending';
};

const OUR_CHOICES: Choices = {
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

/** Thrown for a choice that the service does not support. */
export class UnusableChoice extends Error {
  override readonly name = 'UnusableChoice';
}

/** Returns our choices with some replaced. Throws UnusableChoice for a week that splits days, or an unknown time zone. */
export function choicesWith(changed: Partial<Choices>): Choices {
  const choices = { ...OUR_CHOICES, ...changed };
  if (choices.weekAnchor % 86_400 !== 0) {
    throw new UnusableChoice(
      `weekAnchor ${choices.weekAnchor} is not a whole number of days: use a multiple of 86400.`,
    );
  }
  if (!isTimeZone(choices.quotaZone)) {
    throw new UnusableChoice(
      `quotaZone "${choices.quotaZone}" is not a time zone: use a name such as UTC or America/New_York.`,
    );
  }
  return choices;
}
