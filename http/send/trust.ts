import { X509Certificate } from 'node:crypto';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { ClientError } from './client-error.ts';

/** The authority that was trusted last: most often the next client's too. */
let last: { readonly ca: string; readonly context: SecureContext } | undefined;

/**
 * Trusts one more authority besides those that Node trusts already. Made once per authority: reading all roots costs
 * tens of milliseconds, which would fall into every handshake.
 * @param ca PEM of one or more certificates
 * @throws ClientError when it is not PEM
 */
export function trusting(ca: string): SecureContext {
  if (last?.ca === ca) return last.context;
  try {
    new X509Certificate(ca);
    const context = createSecureContext({ ca: [...getCACertificates('default'), ca] });
    last = { ca, context };
    return context;
  } catch (error) {
    throw new ClientError(
      'The CA is no certificate in PEM form: give the text from BEGIN to END CERTIFICATE.',
      {
        cause: error,
      },
    );
  }
}
