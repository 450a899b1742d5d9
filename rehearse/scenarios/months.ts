import type { Trouble, TroubleSpan } from './trouble.ts';

/** The month ends so long after the first request; all that comes later is counted in the next one. */
export function monthEndingIn(ms: number): Trouble {
  let span: TroubleSpan | undefined;
  return {
    distortion: {
      month: (month, { now, request }) => {
        if (request.apiKey !== undefined) span ??= { began: now, ended: now + ms, tells: true };
        if (span?.ended === undefined) return month;
        return now <= span.ended ? { ...month, reset: span.ended } : { ...month, name: `${month.name} anew` };
      },
    },
    span: () => span,
  };
}
