/** Faulty requests of every run: a missing parameter, a wrong one, and data that does not exist. */
export const steadyCases = ['from-left-out', 'interval-unknown', 'pool-unknown'] as const;

/** Cases from which a run draws some by its seed. Each is the name that `findTrigger` gives its request. */
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

/** A tag that was never issued. */
export const unissuedTag = '"never-issued"';

/** Cases that are drawn only where a request to change something can do no harm. */
export const changingCases = ['method-put', 'method-patch', 'method-delete'] as const;

/** Requests without a key by routes that might bypass the check of the key. */
export const detours = ['unkeyed-slash-doubled', 'unkeyed-method-head', 'unkeyed-method-options'] as const;

export type ErrorCase =
  | (typeof detours)[number]
  | (typeof steadyCases)[number]
  | (typeof drawnCases)[number]
  | (typeof changingCases)[number];

export const errorCases: readonly ErrorCase[] = [...steadyCases, ...drawnCases, ...changingCases, ...detours];
