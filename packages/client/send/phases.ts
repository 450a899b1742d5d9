import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { TLSSocket } from 'node:tls';
import type { Connection, Phase, Timings } from '@candleproof/law/reading/exchange';

/**
 * Splits one exchange into phases by a monotonic clock. Each phase ends at the start of the next, in whole
 * microseconds, so that phases sum to the total.
 */
export class PhaseClock {
  readonly #now: () => number;
  readonly #begun: number;
  readonly #entered: { phase: Phase; at: number }[] = [];
  #stopped: number | undefined;

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#begun = now();
  }

  /** The phase under way; `connect` until the first has begun. */
  get current(): Phase {
    return this.#entered.at(-1)?.phase ?? 'connect';
  }

  /** Ends the phase under way and begins another. The first phase counts from the clock's creation. */
  enter(phase: Phase): void {
    if (this.#stopped !== undefined || phase === this.#entered.at(-1)?.phase) return;
    this.#entered.push({ phase, at: this.#entered.length === 0 ? 0 : this.#elapsed() });
  }

  /** Ends the last phase; later calls have no effect. */
  stop(): void {
    this.#stopped ??= this.#elapsed();
  }

  timings(): Timings {
    this.stop();
    const end = this.#stopped ?? 0;
    const timings: { [phase in Phase]?: number } = {};
    for (const [index, { phase, at }] of this.#entered.entries()) {
      const next = this.#entered[index + 1]?.at ?? end;
      timings[phase] = (next - at) / 1000;
    }
    return { ...timings, total: end / 1000 };
  }

  #elapsed(): number {
    return Math.round((this.#now() - this.#begun) * 1000);
  }
}

/** Keeps the facts of a TLS handshake, which are lost when the socket is destroyed. */
export class Handshake {
  #version: string | null = null;
  #certificateEnd = '';

  /**
   * Reads the certificate at the end of the handshake, before Node verifies it: a refused certificate is lost with its
   * socket.
   */
  follow(socket: Socket): void {
    if (socket instanceof TLSSocket)
      socket.prependOnceListener('secure', () => this.#readCertificate(socket));
  }

  /** Adds the facts to a connection; returns it unchanged if the handshake did not get that far. */
  addTlsFacts(connection: Connection): Connection {
    const end = Date.parse(this.#certificateEnd);
    if (this.#version === null || Number.isNaN(end)) return connection;
    const certificateEnd = new Date(end).toISOString();
    return { ...connection, tls: { version: this.#version, certificateEnd } };
  }

  /**
   * Uses the older of Node's two forms, because reading the newer one here makes Node's check lose the names. Hands the
   * result to that check: reading the certificate and its chain again takes as long as all rules together.
   */
  #readCertificate(socket: TLSSocket): void {
    const certificate = socket.getPeerCertificate();
    this.#version = socket.getProtocol();
    this.#certificateEnd = certificate.valid_to ?? '';
    Object.defineProperty(socket, 'getPeerCertificate', { value: () => certificate });
  }
}

/** Milliseconds allowed for connecting (name, TCP, TLS), then for the head, and then for the whole body. */
export type Deadlines = { readonly connectMs: number; readonly headersMs: number; readonly bodyMs: number };

/** One timer that is set again for each stage of an exchange. */
export class Deadline {
  #timer: NodeJS.Timeout | undefined;
  #check: NodeJS.Immediate | undefined;

  /**
   * Replaces the previous timer. If this process was busy past the deadline, the answer may already be in the kernel:
   * one more turn of the event loop reads it before the target is blamed.
   */
  arm(ms: number, overdue: () => void): void {
    this.disarm();
    this.#timer = setTimeout(() => {
      this.#check = setImmediate(overdue);
    }, ms);
  }

  disarm(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#check);
  }
}
