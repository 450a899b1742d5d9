/** Faulty requests of every run: a missing parameter, wrong ones, and data that does not exist. */
export const steadyCases = [
  'from-left-out',
  'interval-unknown',
  'pool-unknown',
  'from-after-to',
  'pool-with-fraction',
] as const;

/** Cases from which a run draws some by its seed. Each is the name that `findTrigger` gives its request. */
export const drawnCases = [
  'to-left-out',
  'interval-left-out',
  'interval-lower-case',
  'interval-cut-short',
  'from-as-text',
  'from-in-milliseconds',
  'from-negative',
  'to-with-fraction',
  'pool-as-text',
  'pool-negative',
  'pool-with-zeros',
  'pool-beyond-32-bits',
  'inverted-in-capitals',
  'inverted-as-number',
  'inverted-empty',
  'inverted-twice',
  'tokens-query',
  'slash-at-end',
  'path-in-capitals',
  'path-unknown',
  'not-modified',
  'method-head',
  'unkeyed-interval-unknown',
  'unkeyed-pool-unknown',
  'tag-unknown',
] as const;

/** A tag that was never issued. */
export const unissuedTag = '"never-issued"';

/** Cases that are drawn only if a request to change something can do no harm. */
export const changingCases = ['method-put', 'method-patch', 'method-delete'] as const;

/** Requests without a key by routes that might bypass the check of the key. */
export const detours = [
  'unkeyed-slash-doubled',
  'unkeyed-slash-at-end',
  'unkeyed-method-head',
  'unkeyed-method-options',
] as const;

/** Paths that a gate may not know as the API's, requested without a key. */
export const strayPaths = ['unkeyed-path-unknown', 'unkeyed-path-in-capitals'] as const;

export type ErrorCase =
  | (typeof detours)[number]
  | (typeof strayPaths)[number]
  | (typeof steadyCases)[number]
  | (typeof drawnCases)[number]
  | (typeof changingCases)[number];

export const errorCases: readonly ErrorCase[] = [
  ...steadyCases,
  ...drawnCases,
  ...changingCases,
  ...detours,
  ...strayPaths,
];

/**
 * Invalid keys, named by how they are made from a valid one, in families of what a service may compare too loosely:
 * anything, the length, letters, parts, and what separates characters.
 */
export const keyFamilies = [
  ['random', 'empty', 'wildcards', 'null-word'],
  ['last-character-missing', 'one-character-more', 'very-long'],
  ['other-case', 'lower-case', 'soft-hyphen'],
  ['good-beginning', 'good-ending', 'reversed', 'other-last-character'],
  ['inner-blank', 'blank-inserted', 'in-a-list', 'quoted'],
] as const;
export const nearMisses = keyFamilies.flat();
/**
 * Places where a valid key does not count: the document names the header alone (§5). `in-other-headers`: in all of
 * `otherHeaders` at once, so that one refusal clears them; if it is let in, each is tried alone. `as-basic`: as the user of
 * Basic authorization, whose header one of them takes.
 */
export const otherPlaces = ['in-query', 'in-other-headers', 'as-basic'] as const;
export const otherHeaders = ['in-cookie', 'as-bearer', 'in-other-header'] as const;

type AuthNearMiss = (typeof nearMisses)[number];
type OtherPlace = (typeof otherPlaces | typeof otherHeaders)[number];
/** The credential that a request carries instead of the run's key; its name follows `trial:`. */
export type Trial = AuthNearMiss | OtherPlace | 'header-in-capitals' | 'other-key';
/** Returns the credential of a trial. */
export function trialCredential<Name extends Trial>(trial: Name): `trial:${Name}` {
  return `trial:${trial}`;
}

/** Returns whether a trial is one of some names. */
export function includesTrial<Name extends Trial>(names: readonly Name[], trial: Trial): trial is Name {
  return (names as readonly Trial[]).includes(trial);
}
