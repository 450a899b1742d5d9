import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { TLSSocket } from 'node:tls';
import type { Connection, Phase, Timings } from '../../contract/reading/exchange.ts';

/**
 * Splits one exchange into phases by a monotonic clock. A phase ends where the next begins, so that phases sum
 * to the total: marks are whole microseconds, and only differences of marks are reported.
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

  /** The phase under way; `connect` before anything is known of the socket. */
  get current(): Phase {
    return this.#entered.at(-1)?.phase ?? 'connect';
  }

  /** Ends the phase under way. The first phase counts from the clock's creation. */
  enter(phase: Phase): void {
    if (this.#stopped !== undefined || phase === this.#entered.at(-1)?.phase) return;
    this.#entered.push({ phase, at: this.#entered.length === 0 ? 0 : this.#elapsed() });
  }

  /** Ends the last phase; later calls change nothing. */
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

/** Keeps the facts of a handshake before the socket can be destroyed, to be read later. */
export class Handshake {
  #version: string | null = null;
  #certificateEnd = '';

  /**
   * Reads the certificate when the handshake is done. Node emits that event before it judges the certificate; afterwards a
   * refused one is gone with its socket.
   */
  follow(socket: Socket): void {
    if (socket instanceof TLSSocket)
      socket.prependOnceListener('secure', () => this.#readCertificate(socket));
  }

  /** The connection with what was seen of it; as it was where the handshake never came so far. */
  orReport(connection: Connection): Connection {
    const end = Date.parse(this.#certificateEnd);
    if (this.#version === null || Number.isNaN(end)) return connection;
    const certificateEnd = new Date(end).toISOString();
    return { ...connection, tls: { version: this.#version, certificateEnd } };
  }

  /**
   * Uses the older of Node's two forms: reading the newer one here takes the names from Node's check. That check
   * is given what was read here: to read a certificate again, with all of its chain, takes as long as all rules together.
   */
  #readCertificate(socket: TLSSocket): void {
    const certificate = socket.getPeerCertificate();
    this.#version = socket.getProtocol();
    this.#certificateEnd = certificate.valid_to ?? '';
    Object.defineProperty(socket, 'getPeerCertificate', { value: () => certificate });
  }
}

/** Milliseconds allowed for reaching the target (name, TCP, TLS), for its head after that, and for its whole body. */
export type Deadlines = { readonly connectMs: number; readonly headersMs: number; readonly bodyMs: number };

/** One timer that is moved from stage to stage of an exchange. */
export class Deadline {
  #timer: NodeJS.Timeout | undefined;
  #check: NodeJS.Immediate | undefined;

  /**
   * Replaces what was armed before. When this process was busy past the deadline, the answer may already lie
   * in the kernel: one more turn of the event loop lets it in before the target is blamed.
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
