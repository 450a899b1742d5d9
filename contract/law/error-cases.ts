/** Faulty requests of every run: a parameter that is missing, one that is wrong, and data that is not there. */
export const steadyCases = ['from-left-out', 'interval-unknown', 'pool-unknown'] as const;

/** Of these a run asks some, drawn by its seed. Each is the name of what `triggerOf` reads from its URL. */
export const drawnCases = [
  'to-left-out',
  'interval-left-out',
  'interval-lower-case',
  'interval-cut-short',
  'from-as-text',
  'from-in-milliseconds',
  'from-negative',
  'from-after-to',
  'to-with-fraction',
  'pool-as-text',
  'pool-negative',
  'pool-with-zeros',
  'pool-with-fraction',
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

/** A tag that nobody was ever given. */
export const tagOfNobody = '"never-issued"';

/** Drawn as well, but only where a request to change something can do no harm. */
export const changingCases = ['method-put', 'method-patch', 'method-delete'] as const;

/** Ways to an operation past the place where its key is looked at: requests without one. */
export const detours = ['unkeyed-slash-doubled', 'unkeyed-method-head', 'unkeyed-method-options'] as const;

export type ErrorCase =
  | (typeof detours)[number]
  | (typeof steadyCases)[number]
  | (typeof drawnCases)[number]
  | (typeof changingCases)[number];

export const errorCases: readonly ErrorCase[] = [...steadyCases, ...drawnCases, ...changingCases, ...detours];
