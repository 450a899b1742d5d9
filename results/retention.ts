/** How many days slots are kept whole, and hours, events, quotas apart; days and incidents are never forgotten. */
export type Retention = { readonly keepRawDays: number; readonly keepHoursDays: number };

/** Slots for a year and a month, so that a month can be compared with the year before; hours for five years. */
export const usualRetention: Retention = { keepRawDays: 400, keepHoursDays: 5 * 366 };
