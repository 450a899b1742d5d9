import type { ClientRequest, IncomingMessage, InformationEvent, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TransferError } from '@candleproof/client/send/failure';
import { boundPieces } from '@candleproof/client/send/pieces';
import { pairHeaderLines } from '@candleproof/law/reading/exchange';
import type { TimeSpan, TrafficObserver } from '../traffic-observer.ts';
import { answerOurselves, cutOff, endlessInterim, maxInterim, passInterim } from './client-answer.ts';
import { hasBody, passBody } from './client-request.ts';
import { codingOf, removeHopByHop, withHost, withoutChunks } from './hop-by-hop.ts';
import type { OnNotPassed } from './limits.ts';
import { SeenOnce } from './seen-once.ts';
import type { Head } from './upstream.ts';

export type PassagePlan = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly send: (head: Head) => ClientRequest;
  /** The Host header that the upstream expects. */
  readonly host: string;
  readonly observer: TrafficObserver;
  readonly end: () => TimeSpan;
  /** Longest wait for the headers of the answer, in ms. */
  readonly patienceMs: number;
  /** Longest time without activity, in ms. */
  readonly idleMs: number;
  readonly onNotPassed: OnNotPassed;
  /** Called when no part of the request is at the upstream any longer. */
  readonly onLeft: () => void;
  /** Called when the answer comes in many small pieces. */
  readonly onMany: () => void;
};

/** One request to the upstream and its answer back; the observer gets a copy. */
export class Passage {
  readonly #plan: PassagePlan;
  readonly #head: Head;
  readonly #seen: SeenOnce;
  readonly #timer: NodeJS.Timeout;
  #sent: ClientRequest;
  #answer: IncomingMessage | undefined;
  #interim = 0;
  #isFlowing = false;
  #isLate = false;

  /** @throws if Node cannot write the request */
  constructor(plan: PassagePlan) {
    const { request, response, host, patienceMs, observer, end } = plan;
    this.#plan = plan;
    this.#head = {
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      lines: withHost(removeHopByHop(request.rawHeaders), host),
    };
    this.#seen = new SeenOnce({ observer, request, head: this.#head, end });
    this.#sent = this.#send();
    response.sendDate = false;
    response.on('close', () => this.#onClientEnd());
    response.on('timeout', (socket) => this.#onIdle(socket));
    this.#timer = setTimeout(() => this.#onLate(), patienceMs);
    if (hasBody(this.#head.lines)) passBody(request, this.#sent);
    else this.#sent.end();
  }

  #send(): ClientRequest {
    const sent = this.#plan.send(this.#head);
    sent.on('response', (answer) => this.#onAnswer(answer));
    sent.on('information', (informationEvent) => this.#onInterim(informationEvent));
    sent.on('upgrade', (_answer, socket) => {
      socket.destroy();
      this.#refuse(502, 'the upstream switched protocols unrequested');
      this.#plan.onLeft();
    });
    sent.on('error', (error) => this.#onError(error));
    sent.on('close', () => {
      if (sent !== this.#sent) return;
      if (this.#answer === undefined) this.#refuse(502, 'the upstream closed the connection');
      this.#plan.onLeft();
    });
    return sent;
  }

  #onInterim(interim: InformationEvent): void {
    if (this.#seen.isOver) return;
    this.#interim += 1;
    if (this.#interim <= maxInterim && passInterim(this.#plan.response, interim)) return;
    this.#plan.onNotPassed('interim answer');
    if (this.#interim < endlessInterim) return;
    this.#refuse(502, `the upstream sent ${endlessInterim} interim answers and no other`);
    this.#sent.destroy();
  }

  #onAnswer(answer: IncomingMessage): void {
    const { response } = this.#plan;
    clearTimeout(this.#timer);
    if (this.#seen.isOver) {
      answer.destroy();
      return;
    }
    this.#answer = answer;
    boundPieces(answer, this.#plan.onMany);
    if (!this.#passHead(answer)) return;
    setImmediate(() => {
      // A slow body must not delay the headers; most bodies arrive with them.
      if (!this.#isFlowing && !response.writableEnded) response.flushHeaders();
    });
    this.#seen.begin(answer);
    answer.on('data', (chunk: Buffer) => {
      this.#isFlowing = true;
      this.#seen.add(chunk);
    });
    answer.on('error', (error) => this.#onBreak(breakMessage(error)));
    answer.on('end', () => this.#finish(answer));
    // Backpressure: bytes that the client does not read stay with the upstream.
    answer.pipe(response, { end: false });
  }

  /**
   * Passes the headers on. Returns false for invalid ones, such as status 99: then the client gets our error response.
   */
  #passHead(answer: IncomingMessage): boolean {
    const { request, response } = this.#plan;
    const isOld = request.httpVersion === '1.0';
    const lines = removeHopByHop(answer.rawHeaders);
    const coding = codingOf(lines);
    try {
      if (coding === 'unclear' || (coding === 'coded' && isOld)) throw new Error(`the coding is ${coding}`);
      response.writeHead(answer.statusCode ?? 0, answer.statusMessage, isOld ? withoutChunks(lines) : lines);
      return true;
    } catch {
      this.#refuse(502, 'the upstream sent a head that cannot be passed on');
      answer.destroy();
      return false;
    }
  }

  /** Ends the answer: the upstream has sent everything, the last bytes may still be in flight to the client. */
  #finish(answer: IncomingMessage): void {
    const { response } = this.#plan;
    try {
      if (answer.rawTrailers.length > 0) response.addTrailers(pairHeaderLines(answer.rawTrailers));
    } catch {
      // Node cannot write this field; RFC 9110 §6.5.1 allows omitting it.
    }
    response.end();
    this.#seen.take(answer);
  }

  /** Aborts the answer to the client, since the upstream aborted it. */
  #onBreak(message: string): void {
    if (this.#answer) this.#seen.take(this.#answer, { phase: 'receive', kind: 'truncated', message });
    cutOff(this.#plan.response);
  }

  #onError(error: NodeJS.ErrnoException): void {
    if (this.#answer !== undefined) this.#onBreak('the upstream ended its answer early');
    if (this.#seen.isOver) return;
    // The connection was closed while the request was on its way: the upstream has not processed it, so it is sent
    // again.
    if (this.#sent.reusedSocket && error.code === 'ECONNRESET' && this.#isRepeatable()) {
      this.#sent = this.#send();
      this.#sent.end();
      return;
    }
    if (this.#isLate) this.#refuse(504, `the upstream did not answer within ${this.#plan.patienceMs} ms`);
    else this.#refuse(502, `the upstream cannot be reached: ${error.code ?? 'error'}`);
  }

  #isRepeatable(): boolean {
    return /^(GET|HEAD|OPTIONS)$/.test(this.#head.method) && !hasBody(this.#head.lines);
  }

  #refuse(status: 502 | 504, detail: string): void {
    clearTimeout(this.#timer);
    if (this.#seen.isOver) return;
    this.#seen.miss('no answer');
    if (!this.#plan.response.headersSent) answerOurselves(this.#plan.response, { status, detail });
  }

  #onLate(): void {
    this.#isLate = true;
    this.#sent.destroy(new Error('late'));
  }

  /** Handles an idle client connection: either the client or the upstream is inactive. */
  #onIdle(socket: Socket): void {
    const { request, response, idleMs, onNotPassed } = this.#plan;
    const owesBody = !request.complete && !this.#sent.writableNeedDrain;
    if (this.#answer ? response.writableLength > 0 : owesBody) {
      onNotPassed('idle');
      socket.destroy();
    } else if (this.#answer) {
      this.#onBreak(`the upstream sent nothing for ${idleMs} ms`);
      this.#sent.destroy();
    } else socket.setTimeout(idleMs);
  }

  #onClientEnd(): void {
    clearTimeout(this.#timer);
    // The upstream may have answered without waiting for the body, whose rest is not sent any longer.
    if (this.#plan.response.writableFinished && this.#sent.writableEnded) return;
    this.#seen.miss('client left');
    this.#sent.destroy();
  }
}

function breakMessage(error: Error): string {
  return error instanceof TransferError ? error.message : 'the upstream ended its answer early';
}
