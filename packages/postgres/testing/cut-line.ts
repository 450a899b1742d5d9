import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A line to a port of this machine that can be cut: its connections are gone, and no new one gets through. */
export class CutLine {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #isCut = false;
  #unanswered: string | undefined;

  constructor(port: number) {
    this.#server = createServer((near) => {
      if (this.#isCut) return void near.destroy();
      const far = connect(port, '127.0.0.1');
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#open.add(from);
        from.on('error', () => undefined);
        from.on('close', () => to.destroy());
        from.pipe(to);
      }
      near.on('data', (said) => this.#loseAnswer(said, near, far));
    });
  }

  /** The next statement with this text gets through, and the line is lost before its answer. */
  loseAnswerTo(text: string): void {
    this.#unanswered = text;
  }

  /** Its port. */
  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#open) socket.destroy();
    this.#open.clear();
  }

  mend(): void {
    this.#isCut = false;
  }

  #loseAnswer(said: Buffer, near: Socket, far: Socket): void {
    if (this.#unanswered === undefined || !said.includes(this.#unanswered)) return;
    this.#unanswered = undefined;
    far.unpipe(near);
    far.once('data', () => far.destroy()).resume();
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}
