/** A value that is there at once, or comes: what answers from memory never waits for a turn of the event loop. */
export type Soon<Value> = Value | Promise<Value>;

/** What `next` makes of a value once it is there: now, where it is there now. */
export function after<Value, Result>(value: Soon<Value>, next: (value: Value) => Soon<Result>): Soon<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** What `work` gives, or what `mend` makes of that which it throws, now or later. */
export function mended<Value>(work: () => Soon<Value>, mend: (error: unknown) => Soon<Value>): Soon<Value> {
  try {
    const value = work();
    return value instanceof Promise ? value.catch(mend) : value;
  } catch (error) {
    return mend(error);
  }
}

/** The value of something that never lets anybody wait, such as a store in this process. */
export function atOnce<Value>(value: Soon<Value>): Value {
  if (value instanceof Promise) throw new Error('not there yet');
  return value;
}
