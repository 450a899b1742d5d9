import type { Client } from 'pg';
import { explainTrouble } from './trouble.ts';

/** A connection that hears the notices of one channel. */
export type NoticeListener = {
  /** False from the moment when the connection is known to be lost until a new one hears again. */
  readonly connected: boolean;
  stop(): Promise<void>;
};

/** A lost connection that no one closed is noticed within twice this time, in ms. */
const heartbeatMs = 400;

/** First and longest pause in ms before another connection is tried. */
const [firstPauseMs, longestPauseMs] = [50, 500];

/** Listens on a separate client, and makes another one whenever it is lost. Throws PostgresTrouble if the first one fails. */
export async function listening(
  makeClient: () => Client,
  place: string,
  channel: string,
  onNotice: (payload: string) => void,
  onReconnect: () => void,
  onLost: () => void,
): Promise<NoticeListener> {
  const listener = new ChannelListener(makeClient, channel, { onNotice, onReconnect, onLost });
  try {
    await listener.begin();
  } catch (error) {
    throw explainTrouble(error, place);
  }
  return listener;
}

type NoticeHandlers = {
  onNotice(payload: string): void;
  onReconnect(): void;
  onLost(): void;
};

class ChannelListener implements NoticeListener {
  readonly #makeClient: () => Client;
  readonly #channel: string;
  readonly #handlers: NoticeHandlers;
  #client: Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(makeClient: () => Client, channel: string, handlers: NoticeHandlers) {
    this.#makeClient = makeClient;
    this.#channel = channel;
    this.#handlers = handlers;
  }

  get connected(): boolean {
    return this.#client !== undefined;
  }

  async begin(): Promise<void> {
    const client = this.#makeClient();
    try {
      client.on('error', () => this.#handleLoss(client));
      client.on('end', () => this.#handleLoss(client));
      client.on('notification', ({ payload }) => this.#handlers.onNotice(payload ?? ''));
      await client.connect();
      await client.query(`LISTEN ${client.escapeIdentifier(this.#channel)}`);
    } catch (error) {
      hangUp(client);
      throw error;
    }
    if (this.#stopped) return hangUp(client);
    this.#client = client;
    this.#beat(client);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = undefined;
    if (client) hangUp(client);
  }

  #beat(client: Client): void {
    this.#timer = setTimeout(async () => {
      let answered = false;
      // After a long computation the timer is due before an answer that has arrived is read.
      const overdue = setTimeout(() => setImmediate(() => answered || this.#handleLoss(client)), heartbeatMs);
      try {
        await client.query('SELECT 1');
        answered = true;
        if (this.#client === client) this.#beat(client);
      } catch {
        this.#handleLoss(client);
      } finally {
        clearTimeout(overdue);
      }
    }, heartbeatMs);
  }

  #handleLoss(client: Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    clearTimeout(this.#timer);
    hangUp(client);
    this.#handlers.onLost();
    this.#retryAfter(firstPauseMs);
  }

  #retryAfter(pauseMs: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(async () => {
      try {
        await this.begin();
        if (this.#client) this.#handlers.onReconnect();
      } catch {
        this.#retryAfter(Math.min(2 * pauseMs, longestPauseMs));
      }
    }, pauseMs);
  }
}

/** A server that is frozen answers no farewell either: the socket goes at once. */
function hangUp(client: Client): void {
  client.end().catch(() => {});
  client.connection.stream.destroy();
}
