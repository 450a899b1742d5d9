/** Invalid keys, named by how they are made from a valid one. */
export const nearMisses = [
  'random',
  'last-character-missing',
  'one-character-more',
  'other-case',
  'good-beginning',
  'empty',
  'inner-blank',
  'blank-inserted',
  'good-ending',
  'lower-case',
  'wildcards',
  'in-a-list',
] as const;

/** The invalid keys that runs of the first two editions tried. */
export const firstNearMisses: readonly AuthNearMiss[] = nearMisses.slice(0, 7);

/** Places where a valid key does not count: the document names the header alone (§5). */
export const otherPlaces = ['in-query', 'in-cookie', 'as-bearer'] as const;

export type AuthNearMiss = (typeof nearMisses)[number];
export type OtherPlace = (typeof otherPlaces)[number];

/** The credential that a request carries instead of the run's key; its name follows `trial:`. */
export type Trial = AuthNearMiss | OtherPlace | 'header-in-capitals' | 'other-key';

/** Returns the credential of a trial. */
export function trialCredential<Name extends Trial>(trial: Name): `trial:${Name}` {
  return `trial:${trial}`;
}

/** Tells whether a trial is one of some names. */
export function includesTrial<Name extends Trial>(names: readonly Name[], trial: Trial): trial is Name {
  return (names as readonly Trial[]).includes(trial);
}
