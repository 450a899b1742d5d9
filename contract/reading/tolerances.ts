/**
 * Every allowance that the judge makes, with its reason. Nothing else in the law rounds, waits or forgives.
 */

/** Seconds after its end in which a candle may still be written: it is neither open nor closed meanwhile. */
export const settlingSeconds = 120;

/** Seconds after its end in which observations that came late may still correct a closed candle. */
export const lateSeconds = 600;

/** The Date header counts whole seconds, and a front server may repeat the last one it made. */
export const dateLagSeconds = 2;

/** Seconds by which our own clock may be off, where it has to stand for a server's: no zone or drift makes a day. */
export const ownClockSeconds = 86_400;

/** Seconds after an interval's end until the next one must show: it settles, and one minutely observation may fail. */
export const newestSeconds = settlingSeconds + 120;

/** Seconds around the month's roll-over in which counters of different replicas may disagree. */
export const rollOverSeconds = 120;

/** Products and means of doubles; the worst measured of an honest implementation is 5e-13. */
export const arithmetic = 1e-9;

/** What adding up some hundred doubles of one size may move their mean by, as a share of it. */
export const doubleSums = 1e-14;

/** One unit in the last place: an inverted price is itself rounded once. */
export const ulp = 2 ** -52;

/** Shares of a parent's range: an outage of samples explains less than the first, rounding less than the second. */
export const meanOff = { breach: 0.01, undecided: 1e-6 };

/** Plausible Unix seconds: 2017 to 2099. Milliseconds and microseconds lie far outside. */
export const plausibleSeconds = { from: 1.5e9, to: 4.1e9 };

/** Seconds without an observation after which a pool no longer counts as merely late. */
export const staleSeconds = 600;
