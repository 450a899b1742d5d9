import type { HeardExchange } from '../heard.ts';
import type { Play } from './play.ts';

/** One place where a client breaks a rule. */
export type ClientBreach = {
  readonly exchange: HeardExchange;
  readonly expected: string;
  readonly actual: string;
  /** The exchange that it follows from, such as the refusal that was not heeded. */
  readonly since?: HeardExchange;
};

/** What a check tells: an exchange it has judged, a breach at one, or why nothing could be judged. */
export type ClientSight =
  | { readonly judged: HeardExchange }
  | { readonly breach: ClientBreach }
  | { readonly undecided: string };

type ClientArticle = {
  /** `client/what-holds`. */
  readonly id: string;
  /** What is lost where it does not hold. */
  readonly why: string;
  /** The bound, its tolerances and the cases it leaves alone. */
  readonly exactly: string;
};

/** One statement about clients. */
export type ClientRule = ClientArticle & {
  readonly level: 'must' | 'should';
  readonly statement: string;
  /** Pure: the same play gives the same sights. */
  readonly check: (play: Play) => Iterable<ClientSight>;
};

/** What is left to a client, observed and never failed. */
export type ClientQuestion = ClientArticle & {
  readonly question: string;
  /** Undefined where the play does not show. */
  readonly answer: (play: Play) => string | undefined;
};
