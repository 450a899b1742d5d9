/** Makes a value when it is first requested, and caches it. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Makes a value for each key when it is first requested, and caches it for as long as the key lives. */
export function oncePer<Thing extends object, Value>(make: (thing: Thing) => Value): (thing: Thing) => Value {
  const known = new WeakMap<Thing, { readonly value: Value }>();
  return (thing) => {
    const made = known.get(thing) ?? { value: make(thing) };
    known.set(thing, made);
    return made.value;
  };
}
