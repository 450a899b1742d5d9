import type { Store } from '../store/store.ts';

/** The store holds a simulated market, into which nothing else belongs. */
export class SimulatedStore extends Error {
  override readonly name = 'SimulatedStore';
}

/** Throws SimulatedStore. */
export async function refuseSimulated(store: Store): Promise<void> {
  if (!(await store.state()).facts.has('seed')) return;
  throw new SimulatedStore(
    'The store holds a simulated market: bring your own data into an empty data folder.',
  );
}
