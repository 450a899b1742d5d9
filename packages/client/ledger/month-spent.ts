import { OneLineError } from '@candleproof/files/usage-error';
import type { MonthLeft } from '../accounts/lend.ts';

/** A request was not sent, because the key's month, its reserve or the reservations of others leave none for it. */
export class MonthSpent extends OneLineError {
  override readonly name = 'MonthSpent';
  override readonly remedy = '--allow-overage, or allowOverage in code, sends it all the same';
  readonly left: MonthLeft;

  constructor(left: MonthLeft) {
    const { remaining, limit, reset, kept, reserved } = left;
    const others = [
      ...(kept > 0 ? [`${kept} are its reserve`] : []),
      ...(reserved > 0 ? [`${reserved} are reserved or under way`] : []),
    ];
    const month = [`${remaining} of ${limit} until ${nameInstant(reset)}`, ...others].join(', ');
    super(`a request was not sent, since the key's month leaves none for it: it has ${month}`);
    this.left = left;
  }
}

/** Returns an instant as text; a reset that is no time in ms stays the number that it is. */
function nameInstant(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString();
}
