import { X509Certificate } from 'node:crypto';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { ClientError } from './client-error.ts';

/**
 * Trusts one more authority besides those that Node trusts already. Made once per client: reading all roots costs
 * milliseconds, which would fall into every handshake.
 * @param ca PEM of one or more certificates
 * @throws ClientError when it is not PEM
 */
export function trusting(ca: string): SecureContext {
  try {
    new X509Certificate(ca);
    return createSecureContext({ ca: [...getCACertificates('default'), ca] });
  } catch (error) {
    throw new ClientError(
      'The CA is no certificate in PEM form: give the text from BEGIN to END CERTIFICATE.',
      {
        cause: error,
      },
    );
  }
}
