/** A value or its promise. Code that has the value already does not wait for a turn of the event loop. */
export type Soon<Value> = Value | Promise<Value>;

/** Calls `next` with the value, at once if it is not a promise. */
export function thenSoon<Value, Result>(
  value: Soon<Value>,
  next: (value: Value) => Soon<Result>,
): Soon<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Returns the result of `work`, or of `mend` for an error that it throws or rejects with. */
export function recover<Value>(work: () => Soon<Value>, mend: (error: unknown) => Soon<Value>): Soon<Value> {
  try {
    const value = work();
    return value instanceof Promise ? value.catch(mend) : value;
  } catch (error) {
    return mend(error);
  }
}

/** Returns a value that is never a promise, such as one of a store in this process. Throws for a promise. */
export function requireNow<Value>(value: Soon<Value>): Value {
  if (value instanceof Promise) throw new Error('not there yet');
  return value;
}
