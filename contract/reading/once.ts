/** Made when it is first requested, and kept. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The same for each of several things, as long as it is held. */
export function onceForEach<Thing extends object, Value>(
  make: (thing: Thing) => Value,
): (thing: Thing) => Value {
  const known = new WeakMap<Thing, { readonly value: Value }>();
  return (thing) => {
    const made = known.get(thing) ?? { value: make(thing) };
    known.set(thing, made);
    return made.value;
  };
}
