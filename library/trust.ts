import tls from 'node:tls';
import { UsageError } from '../files/usage-error.ts';

/**
 * From now on this process trusts an authority (PEM) besides those that it trusts anyway: Playwright's requests take no
 * authority of their own.
 * @throws UsageError on a Node that has no way to
 */
export function trust(ca: string): void {
  if (tls.setDefaultCACertificates === undefined) {
    throw new UsageError(
      `Node ${process.versions.node} cannot trust an authority while it runs: take Node 22.19, 24.5 or newer`,
    );
  }
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), ca]);
}
