/** `12.5`: a rate of requests a second. */
export function rateText(perSecond: number): string {
  return String(Number(perSecond.toPrecision(3)));
}

/** Microseconds as `84.2 ms`. */
export function msText(us: number | undefined): string {
  return us === undefined || Number.isNaN(us) ? 'unknown' : `${Number((us / 1000).toPrecision(3))} ms`;
}
