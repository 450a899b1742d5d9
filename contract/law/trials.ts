/** Keys that nobody was given, by how they are made from one that is good. */
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

/** Those that runs of the first two editions tried. */
export const firstNearMisses: readonly AuthNearMiss[] = nearMisses.slice(0, 7);

/** Places where a good key is none: the document knows the header alone (§5). */
export const otherPlaces = ['in-query', 'in-cookie', 'as-bearer'] as const;

export type AuthNearMiss = (typeof nearMisses)[number];
export type OtherPlace = (typeof otherPlaces)[number];

/** What a request carries in the place of the run's key; its credential is `trial:` and this name. */
export type Trial = AuthNearMiss | OtherPlace | 'header-in-capitals' | 'other-key';

export function credentialOf<Name extends Trial>(trial: Name): `trial:${Name}` {
  return `trial:${trial}`;
}

export function isTrialOf<Name extends Trial>(names: readonly Name[], trial: Trial): trial is Name {
  return (names as readonly Trial[]).includes(trial);
}
