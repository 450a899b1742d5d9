import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answerOurselves } from './client-answer.ts';
import { ClientConnection, Readers } from './client-connection.ts';
import type { OnNotPassed, ProxyLimits } from './limits.ts';
import { UpstreamSlots } from './upstream-slots.ts';

/** Clients beyond the limit get an error response up to this multiple of it; beyond that, none. */
const mostClientsTimes = 1.25;

/** The same multiple for requests; beyond it, their connection ends. */
const mostRequestsTimes = 1.5;

/** Requests that wait on one connection; no ordinary client sends more at once. */
const maxWaiting = 64;

/** Admits requests of clients within the limits of each of them and of all together. */
export class Admission {
  readonly #limits: ProxyLimits;
  readonly #patienceMs: number;
  readonly #onNotPassed: OnNotPassed;
  readonly #slots: UpstreamSlots;
  readonly #holdings: Holdings;
  readonly #readers = new Readers((address) => this.#holdings.fullness(address, 'requests') >= 1);
  readonly #connections = new WeakMap<Socket, ClientConnection>();

  /** @param patienceMs longest wait for the upstream, in ms */
  constructor(limits: ProxyLimits, patienceMs: number, onNotPassed: OnNotPassed) {
    this.#limits = limits;
    this.#patienceMs = patienceMs;
    this.#onNotPassed = onNotPassed;
    this.#slots = new UpstreamSlots(limits);
    this.#holdings = new Holdings(limits);
  }

  /** Returns the open connections of clients, and their unanswered requests. */
  get counts(): { readonly clients: number; readonly requests: number } {
    return this.#holdings.all;
  }

  /** Returns a socket's connection; undefined before its first request. */
  connectionOf(socket: Socket): ClientConnection | undefined {
    return this.#connections.get(socket);
  }

  /** @param opened the event that reports a readable connection */
  guard(server: Server, opened: 'connection' | 'secureConnection'): void {
    server.on(opened, (socket: Socket) => this.#readers.add(socket));
    server.maxConnections = Math.ceil(this.#limits.clients * mostClientsTimes);
    server.on('drop', () => this.#onNotPassed('too many clients'));
    server.on('connection', (socket: Socket) => {
      const { remoteAddress: address = '' } = socket;
      this.#holdings.change(address, 'clients', 1);
      socket.once('close', () => this.#holdings.change(address, 'clients', -1));
      const fullness = this.#holdings.fullness(address, 'clients');
      if (fullness > 1) server.closeIdleConnections();
      if (fullness <= mostClientsTimes) return;
      this.#onNotPassed('too many clients');
      socket.destroy();
    });
  }

  /** Reads the connections of a client by turns, since a read of one takes milliseconds: so much came in it. */
  slow({ remoteAddress = '' }: Socket): void {
    this.#readers.slow(remoteAddress, this.#isBetween);
  }

  readonly #isBetween = (reader: Socket): boolean => this.#connections.get(reader)?.isWhole ?? true;

  /** Calls `begin` when it is this request's turn and the upstream has a free place; `leave` returns the place. */
  admit(request: IncomingMessage, response: ServerResponse, begin: (leave: () => void) => void): void {
    const { socket } = request;
    if (socket.destroyed) return;
    const known = this.#connections.get(socket);
    const connection = known ?? this.#connect(socket);
    const { address } = connection;
    const fullness = this.#holdings.fullness(address, 'requests');
    if (fullness >= mostRequestsTimes) {
      this.#onNotPassed('too many requests');
      socket.destroy();
      return;
    }
    this.#holdings.change(address, 'requests', 1);
    if (connection.waiting === maxWaiting) this.slow(socket);
    if (fullness < 1 && this.#holdings.fullness(address, 'requests') >= 1)
      this.#readers.restWhereFull(this.#isBetween);
    response.once('close', () => {
      if (connection.end()) this.#release(address, 1);
    });
    if (!known && this.#holdings.fullness(address, 'clients') > 1) {
      this.#onNotPassed('too many clients');
      const detail = 'too many clients are connected';
      connection.take(response, () => answerOurselves(response, { status: 503, detail, isLast: true }));
    } else if (fullness >= 1) {
      this.#onNotPassed('too many requests');
      const detail = 'too many requests are under way';
      connection.take(response, () => answerOurselves(response, { status: 503, detail }));
    } else connection.take(response, () => this.#queue(address, response, begin));
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

  /** Ends the wait if it lasts too long or the client leaves. Returns a function that ends it otherwise. */
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

  #release(address: string, requests: number): void {
    this.#holdings.change(address, 'requests', -requests);
    this.#readers.wakeWhereFree();
  }

  #connect(socket: Socket): ClientConnection {
    const connection = new ClientConnection(socket, (held) => this.#release(connection.address, held));
    this.#connections.set(socket, connection);
    return connection;
  }
}

type Held = { clients: number; requests: number };

/** The share of all places that one address may hold, so that it does not exclude others. */
const ofOneAddress = 1 / 2;

/** The connections and requests that clients hold, by their address and in all. */
class Holdings {
  readonly #most: Held;
  readonly #all: Held = { clients: 0, requests: 0 };
  readonly #byAddress = new Map<string, Held>();

  constructor({ clients, requests }: Pick<ProxyLimits, keyof Held>) {
    this.#most = { clients, requests };
  }

  get all(): Readonly<Held> {
    return this.#all;
  }

  change(address: string, what: keyof Held, by: number): void {
    const held = this.#byAddress.get(address) ?? { clients: 0, requests: 0 };
    held[what] += by;
    this.#all[what] += by;
    if (held.clients === 0 && held.requests === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, held);
  }

  /** Returns the load of this address or of the whole, whichever is fuller; 1 is the limit. */
  fullness(address: string, what: keyof Held): number {
    const share = this.#byAddress.get(address)?.[what] ?? 0;
    const most = this.#most[what];
    return Math.max(this.#all[what] / most, share / Math.ceil(most * ofOneAddress));
  }
}
