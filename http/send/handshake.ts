import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Connection } from '../../contract/reading/exchange.ts';

/** Keeps the facts of a handshake before the socket can be destroyed, to be read later. */
export class Handshake {
  #version: string | null = null;
  #certificateEnd = '';

  /**
   * Looks when the handshake is done. Node tells of it before it judges the certificate, and afterwards a refused one is
   * gone with its socket.
   */
  follow(socket: Socket): void {
    if (socket instanceof TLSSocket) socket.prependOnceListener('secure', () => this.#look(socket));
  }

  /** The connection with what was seen of it; as it was where the handshake never came so far. */
  orReport(connection: Connection): Connection {
    const end = Date.parse(this.#certificateEnd);
    if (this.#version === null || Number.isNaN(end)) return connection;
    const certificateEnd = new Date(end).toISOString();
    return { ...connection, tls: { version: this.#version, certificateEnd } };
  }

  /**
   * By the older of Node's two forms: who asks for the newer one here takes the names off Node's check. That check
   * is given what was read here: to read a certificate again, with all of its chain, takes as long as all rules together.
   */
  #look(socket: TLSSocket): void {
    const certificate = socket.getPeerCertificate();
    this.#version = socket.getProtocol();
    this.#certificateEnd = certificate.valid_to ?? '';
    Object.defineProperty(socket, 'getPeerCertificate', { value: () => certificate });
  }
}
