import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { TransportFailure } from '../../contract/reading/exchange.ts';
import { linesOf } from '../../contract/reading/raw-lines.ts';
import type { BodyCopying, Onlooker, ReasonUnjudged, TimeSpan } from '../onlooker.ts';
import { lineOf, passedOn, withoutChunks, withValue } from './hop-by-hop.ts';
import { interim } from './interim.ts';
import { answerOurselves } from './our-answer.ts';
import type { Head } from './upstream.ts';

export type PassagePlan = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly send: (head: Head) => ClientRequest;
  /** The Host header that the upstream expects. */
  readonly host: string;
  readonly onlooker: Onlooker;
  readonly end: () => TimeSpan;
  /** Longest wait for the head of the answer, in ms. */
  readonly patienceMs: number;
};

/** One request on its way to the upstream, and its answer on the way back; a copy goes to the onlooker. */
export class Passage {
  readonly #plan: PassagePlan;
  readonly #head: Head;
  readonly #timer: NodeJS.Timeout;
  #sent: ClientRequest;
  #answer: IncomingMessage | undefined;
  #copy: BodyCopying | ReasonUnjudged | undefined;
  #isFlowing = false;
  #isOver = false;
  #isLate = false;

  constructor(plan: PassagePlan) {
    const { request, response, host, patienceMs } = plan;
    this.#plan = plan;
    this.#head = {
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      lines: withValue(passedOn(request.rawHeaders), 'host', host),
    };
    response.sendDate = false;
    response.on('close', () => this.#onClientEnd());
    this.#timer = setTimeout(() => this.#onLate(), patienceMs);
    this.#sent = this.#send();
    this.#sendBody();
  }

  #send(): ClientRequest {
    const sent = this.#plan.send(this.#head);
    sent.on('response', (answer) => this.#onAnswer(answer));
    sent.on('information', (each) => interim(this.#plan.response, each));
    sent.on('upgrade', (_answer, socket) => {
      socket.destroy();
      this.#refuse(502, 'the upstream switched protocols unrequested');
    });
    sent.on('error', (error) => this.#onError(error));
    sent.on('close', () => {
      if (this.#answer === undefined && sent === this.#sent)
        this.#refuse(502, 'the upstream closed the connection');
    });
    return sent;
  }

  #sendBody(): void {
    const { request } = this.#plan;
    if (!hasBody(this.#head.lines)) this.#sent.end();
    else if (lineOf(this.#head.lines, 'expect')?.toLowerCase() === '100-continue')
      this.#sent.once('continue', () => request.pipe(this.#sent));
    else request.pipe(this.#sent);
  }

  #onAnswer(answer: IncomingMessage): void {
    const { response, onlooker } = this.#plan;
    clearTimeout(this.#timer);
    if (this.#isOver) {
      answer.destroy();
      return;
    }
    this.#answer = answer;
    if (!this.#passHead(answer)) return;
    setImmediate(() => {
      // A body that takes its time must not hold the head back; most come with it.
      if (!this.#isFlowing && !response.writableEnded) response.flushHeaders();
    });
    this.#copy = onlooker.copy();
    answer.on('data', (chunk: Buffer) => {
      this.#isFlowing = true;
      if (typeof this.#copy === 'object') this.#copy.add(chunk);
    });
    answer.on('error', () => this.#onBreak(answer));
    answer.on('end', () => this.#finish(answer));
    // What the client does not read stays with the upstream.
    answer.pipe(response, { end: false });
  }

  /** False for a head that Node cannot write, such as one with status 99: a client gets a whole refusal of ours. */
  #passHead(answer: IncomingMessage): boolean {
    const { request, response } = this.#plan;
    const lines = passedOn(answer.rawHeaders);
    const framed = request.httpVersion === '1.0' ? withoutChunks(lines) : lines;
    try {
      response.writeHead(answer.statusCode ?? 0, answer.statusMessage, framed);
      return true;
    } catch {
      this.#refuse(502, 'the upstream sent a head that cannot be passed on');
      answer.destroy();
      return false;
    }
  }

  /** The upstream has said all: the last bytes may still be on their way to the client. */
  #finish(answer: IncomingMessage): void {
    const { response } = this.#plan;
    try {
      if (answer.rawTrailers.length > 0) response.addTrailers(linesOf(answer.rawTrailers));
    } catch {
      // A field that Node cannot write: RFC 9110 §6.5.1 lets it be left out.
    }
    response.end();
    this.#report(answer);
  }

  #report(answer: IncomingMessage, failure?: TransportFailure): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { onlooker, end, request } = this.#plan;
    const body = typeof this.#copy === 'object' ? this.#copy.end() : (this.#copy ?? 'overload');
    if (typeof body === 'string') {
      this.#miss(body);
      return;
    }
    onlooker.take({
      method: this.#head.method,
      path: this.#head.path,
      requestLines: request.rawHeaders,
      status: answer.statusCode ?? 0,
      statusText: answer.statusMessage ?? '',
      httpVersion: `HTTP/${answer.httpVersion}`,
      responseLines: answer.rawHeaders,
      body,
      ...(failure && { failure }),
      span: end(),
    });
  }

  #miss(reason: ReasonUnjudged): void {
    this.#isOver = true;
    if (typeof this.#copy === 'object') this.#copy.drop();
    this.#plan.onlooker.miss(reason, this.#plan.end());
  }

  /** The answer broke off: the client sees it break off too. */
  #onBreak(answer: IncomingMessage): void {
    if (!this.#isOver)
      this.#report(answer, {
        phase: 'receive',
        kind: 'truncated',
        message: 'the upstream ended its answer early',
      });
    cutOff(this.#plan.response);
  }

  #onError(error: NodeJS.ErrnoException): void {
    if (this.#answer !== undefined) this.#onBreak(this.#answer);
    if (this.#isOver) return;
    // It was closed while the request was on its way: nobody has seen it, and nothing of it is lost.
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
    if (this.#isOver) return;
    this.#miss('no answer');
    if (!this.#plan.response.headersSent) answerOurselves(this.#plan.response, status, detail);
  }

  #onLate(): void {
    this.#isLate = true;
    this.#sent.destroy(new Error('late'));
  }

  #onClientEnd(): void {
    clearTimeout(this.#timer);
    // The upstream may have answered without waiting for the body: nobody sends the rest of it now.
    if (this.#plan.response.writableFinished && this.#sent.writableEnded) return;
    if (!this.#isOver) this.#miss('client left');
    this.#sent.destroy();
  }
}

function hasBody(lines: readonly string[]): boolean {
  return lineOf(lines, 'transfer-encoding') !== undefined || Number(lineOf(lines, 'content-length') ?? 0) > 0;
}

/** By a reset where the connection has no other way to say so: a body without a length ends where it ends. */
function cutOff({ socket }: ServerResponse): void {
  if (socket === null || socket instanceof TLSSocket) socket?.destroy();
  else socket.resetAndDestroy();
}
