/** The document's interval names (§2.2) with their lengths in seconds. */
export const intervalSeconds = { FIVEMIN: 300, HOUR: 3600, DAY: 86_400, WEEK: 604_800 } as const;

export type WorldInterval = keyof typeof intervalSeconds;

/** Shortest first. */
export const intervals = Object.keys(intervalSeconds) as WorldInterval[];
