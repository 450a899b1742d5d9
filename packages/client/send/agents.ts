import { X509Certificate } from 'node:crypto';
import { Agent as PlainAgent } from 'node:http';
import { Agent, type AgentOptions } from 'node:https';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import type { BaseUrl } from './base-url.ts';
import { ClientError } from './failure.ts';

/** Many servers close an idle connection after 5 s; we close ours earlier, so that no request meets a closing one. */
const IDLE_MS = 4000;

export type ConnectionPlan = {
  readonly target: BaseUrl;
  /** PEM, or a context that several clients share. */
  readonly ca?: string | SecureContext | undefined;
  readonly proxy?: URL | undefined;
};

/** The connections of one client: a pool for reuse, and single ones for cold starts. */
export class Agents {
  readonly #plan: ConnectionPlan;
  readonly #options: AgentOptions;
  #pool: Promise<Agent | PlainAgent> | undefined;

  /** @throws ClientError if the CA is not PEM */
  constructor(plan: ConnectionPlan) {
    this.#plan = plan;
    // No session cache, since a resumed handshake is shorter and skips the certificate: cold connections would differ.
    const shared: AgentOptions = { ALPNProtocols: ['http/1.1'], maxCachedSessions: 0 };
    const { ca } = plan;
    const secureContext = typeof ca === 'string' ? contextTrusting(ca) : ca;
    this.#options = secureContext === undefined ? shared : { ...shared, secureContext };
  }

  get proxied(): boolean {
    return this.#plan.proxy !== undefined && !this.#plan.target.isPlain;
  }

  pooledAgent(): Promise<Agent | PlainAgent> {
    this.#pool ??= this.#create({ keepAlive: true, timeout: IDLE_MS });
    return this.#pool;
  }

  singleUseAgent(): Promise<Agent | PlainAgent> {
    return this.#create({ keepAlive: false });
  }

  /** Returns an agent for one connection without TLS. */
  plain(): PlainAgent {
    return new PlainAgent({ keepAlive: false });
  }

  async close(): Promise<void> {
    (await this.#pool)?.destroy();
  }

  /** Loads the proxy's code only if needed, because it is slow to load. */
  async #create(extra: AgentOptions): Promise<Agent | PlainAgent> {
    const { proxy, target } = this.#plan;
    if (target.isPlain) return new PlainAgent(extra);
    const options = { ...this.#options, ...extra };
    if (proxy === undefined) return new Agent(options);
    const { Tunnel } = await import('./tunnel.ts');
    return new Tunnel(proxy, target.hostname, options);
  }
}

/** The last trusted authority, which usually is the next client's too. */
let last: { readonly ca: string; readonly context: SecureContext } | undefined;

/**
 * Returns a context that trusts one more authority besides Node's. Made once per authority, because reading all roots
 * takes tens of milliseconds, which would slow down every handshake.
 * @param ca PEM of one or more certificates
 * @throws ClientError if it is not PEM
 */
export function contextTrusting(ca: string): SecureContext {
  if (last?.ca === ca) return last.context;
  try {
    new X509Certificate(ca);
    const context = createSecureContext({ ca: [...getCACertificates('default'), ca] });
    last = { ca, context };
    return context;
  } catch (error) {
    const wanted = 'The CA is no certificate in PEM form: give the text from BEGIN to END CERTIFICATE.';
    throw new ClientError(wanted, { cause: error });
  }
}
