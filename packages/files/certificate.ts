import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readNamedFile } from './read-file.ts';
import { UsageError } from './usage-error.ts';

type CertificateFlags = { readonly cert?: string; readonly key?: string };

/** A certificate with its private key, as PEM. */
type CertificatePair = { readonly certPem: string; readonly keyPem: string };

const mostBytes = 1 << 20;

/** Reads the certificate of --cert with the key of --key; empty if neither is given. Throws a UsageError. */
export function readCertificatePair({ cert, key }: CertificateFlags): { certificate?: CertificatePair } {
  if (cert === undefined && key === undefined) return {};
  if (cert === undefined || key === undefined)
    throw new UsageError('--cert and --key go together: give both or neither');
  const certPem = readNamedFile(cert, '--cert', mostBytes);
  const keyPem = readNamedFile(key, '--key', mostBytes);
  const certificate = readCertificate(certPem, `--cert: ${cert}`);
  if (!certificate.checkPrivateKey(readKey(keyPem, key))) {
    throw new UsageError(
      `--key: ${key} is not the key of ${cert}: give the two that belong together, the server's own certificate first`,
    );
  }
  return { certificate: { certPem, keyPem } };
}

/** Returns the first certificate of a PEM file; `place` names the flag and the file in messages. */
export function readCertificate(pem: string, place: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new UsageError(
      `${place}: it holds no PEM certificate; give one that begins with -----BEGIN CERTIFICATE-----`,
    );
  }
}

function readKey(pem: string, file: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (error) {
    const isLocked =
      /ENCRYPTED/.test(pem) || (error as NodeJS.ErrnoException).code === 'ERR_MISSING_PASSPHRASE';
    throw new UsageError(
      isLocked
        ? `--key: ${file} is locked with a passphrase: give a key without one, as openssl pkey -in ${file} -out KEY makes it`
        : `--key: ${file}: it holds no PEM private key; give one that begins with -----BEGIN PRIVATE KEY-----`,
    );
  }
}
