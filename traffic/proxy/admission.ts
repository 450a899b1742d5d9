import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ClientConnection } from './client-connection.ts';
import type { OnNotPassed, ProxyLimits } from './limits.ts';
import { answerOurselves } from './our-answer.ts';
import { UpstreamSlots } from './upstream-slots.ts';

/** Beyond the limit of clients so many more, as a part of it, get an answer that says so; the next ones get none. */
const refusedShare = 1 / 4;

/** Requests that come beyond the limit are answered so, up to so many times the limit; then their connection ends. */
const mostHeldTimes = 2;

/** Lets requests of clients pass within what each of them, and all together, may take. */
export class Admission {
  readonly #limits: ProxyLimits;
  readonly #patienceMs: number;
  readonly #onNotPassed: OnNotPassed;
  readonly #slots: UpstreamSlots;
  readonly #addresses = new Map<string, number>();
  readonly #connections = new WeakMap<Socket, ClientConnection>();
  #open = 0;
  #held = 0;

  /** @param patienceMs longest wait for the upstream, in ms */
  constructor(limits: ProxyLimits, patienceMs: number, onNotPassed: OnNotPassed) {
    this.#limits = limits;
    this.#patienceMs = patienceMs;
    this.#onNotPassed = onNotPassed;
    this.#slots = new UpstreamSlots(limits);
  }

  /** Connections that clients have open, and their requests that are not answered yet. */
  get counts(): { readonly clients: number; readonly requests: number } {
    return { clients: this.#open, requests: this.#held };
  }

  /** Undefined before its first request. */
  connectionOf(socket: Socket): ClientConnection | undefined {
    return this.#connections.get(socket);
  }

  guard(server: Server): void {
    const { clients } = this.#limits;
    server.maxConnections = Math.ceil(clients * (1 + refusedShare));
    server.on('drop', () => this.#onNotPassed('too many clients'));
    server.on('connection', (socket: Socket) => {
      this.#count(socket);
      if (this.#isCrowded(socket.remoteAddress ?? '')) server.closeIdleConnections();
    });
  }

  /** Calls `begin` when it is this request's turn, and there is room for it at the upstream; `leave` gives that back. */
  admit(request: IncomingMessage, response: ServerResponse, begin: (leave: () => void) => void): void {
    const { socket } = request;
    const { requests } = this.#limits;
    if (socket.destroyed) return;
    if (this.#held >= mostHeldTimes * requests) {
      this.#onNotPassed('too many requests');
      socket.destroy();
      return;
    }
    const known = this.#connections.get(socket);
    const connection = known ?? this.#connect(socket);
    this.#held += 1;
    response.once('close', () => {
      if (connection.end()) this.#held -= 1;
    });
    if (!known && this.#isCrowded(connection.address)) {
      this.#onNotPassed('too many clients');
      const detail = 'too many clients are connected';
      connection.take(response, () => answerOurselves(response, { status: 503, detail, isLast: true }));
    } else if (this.#held > requests) {
      this.#onNotPassed('too many requests');
      const detail = 'too many requests are under way';
      connection.take(response, () => answerOurselves(response, { status: 503, detail }));
    } else connection.take(response, () => this.#queue(connection.address, response, begin));
  }

  #queue(address: string, response: ServerResponse, begin: (leave: () => void) => void): void {
    let endWait: (() => void) | undefined;
    let isWaiting = true;
    let isThere = true;
    const leave = (): void => {
      if (isThere) this.#slots.leave(address);
      isThere = false;
    };
    const start = (): void => {
      isWaiting = false;
      endWait?.();
      begin(leave);
    };
    this.#slots.enter(address, start);
    if (isWaiting) endWait = this.#wait(response, () => this.#slots.withdraw(address, start));
  }

  /** Gives the wait up where it lasts too long or the client leaves. Returns what ends it otherwise. */
  #wait(response: ServerResponse, withdraw: () => void): () => void {
    const stay = (socket: Socket): void => void socket.setTimeout(this.#limits.idleMs);
    const end = (): void => {
      clearTimeout(timer);
      response.off('timeout', stay).off('close', giveUp);
    };
    const giveUp = (): void => {
      end();
      withdraw();
    };
    const timer = setTimeout(() => {
      giveUp();
      this.#onNotPassed('waited too long');
      const detail = `no connection to the upstream was free within ${this.#patienceMs} ms`;
      answerOurselves(response, { status: 503, detail });
    }, this.#patienceMs);
    response.once('close', giveUp).on('timeout', stay);
    return end;
  }

  #connect(socket: Socket): ClientConnection {
    const connection = new ClientConnection(socket, (held) => {
      this.#held -= held;
    });
    this.#connections.set(socket, connection);
    return connection;
  }

  #count(socket: Socket): void {
    const { remoteAddress: address = '' } = socket;
    const ofAddress = (this.#addresses.get(address) ?? 0) + 1;
    this.#addresses.set(address, ofAddress);
    this.#open += 1;
    socket.once('close', () => {
      this.#open -= 1;
      const left = (this.#addresses.get(address) ?? 0) - 1;
      if (left > 0) this.#addresses.set(address, left);
      else this.#addresses.delete(address);
    });
    if (ofAddress <= Math.ceil(this.#share * (1 + refusedShare))) return;
    this.#onNotPassed('too many clients');
    socket.destroy();
  }

  get #share(): number {
    return Math.ceil(this.#limits.clients / 2);
  }

  #isCrowded(address: string): boolean {
    return this.#open > this.#limits.clients || (this.#addresses.get(address) ?? 0) > this.#share;
  }
}
