import { OneLineError } from '@candleproof/files/usage-error';
/** A results store, or a file for one, that cannot be used: one line names it and the remedy. */
export class StoreError extends OneLineError {
  override readonly name: string = 'StoreError';
}

/** A store that does not exist. */
export class MissingStore extends StoreError {
  override readonly name = 'MissingStore';
}

/** The file is no store, or was laid out by another version. */
export class UnreadableStore extends StoreError {
  override readonly name = 'UnreadableStore';
}

/** The disk is full: written records are kept, and the write may be retried. */
export class StoreFull extends StoreError {
  override readonly name = 'StoreFull';
}

/** Another process writes to the store. */
export class StoreInUse extends StoreError {
  override readonly name = 'StoreInUse';
}

/** A line that cannot be taken in. */
export class UnreadableLine extends StoreError {
  override readonly name = 'UnreadableLine';
}
