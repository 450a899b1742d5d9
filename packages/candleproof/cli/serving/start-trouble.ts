import { UnwritableFile, UsageError } from '@candleproof/files/usage-error';
import { PostgresTrouble } from '@candleproof/postgres/trouble';
import { UnreadableInstant } from '@candleproof/reference-service/instant';
import { QuotaBeyondLimit } from '@candleproof/reference-service/service-key';
import { FullStore, UnreadableDatabase } from '@candleproof/reference-service/store/sqlite/database';

export type ListenFlags = { readonly port: number; readonly host?: string; readonly operatorPort?: number };

/** Why a service did not start, in one line with the flag to mend. */
export function startTrouble(error: unknown, flags: ListenFlags): UsageError {
  if (error instanceof UsageError) return error;
  const { message, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'listen' || syscall === 'getaddrinfo') return listenTrouble(error, flags);
  return new UsageError(`${findFlag(error)}: ${message.split('\n')[0]}`);
}

function findFlag(error: unknown): string {
  if (error instanceof UnreadableInstant) return '--now';
  if (error instanceof PostgresTrouble) return '--database';
  if (error instanceof QuotaBeyondLimit) return '--quota-remaining';
  const isPlace = [UnwritableFile, UnreadableDatabase, FullStore].some((kind) => error instanceof kind);
  return isPlace ? '--data' : 'serve';
}

function listenTrouble(error: unknown, { port, host = '127.0.0.1', operatorPort }: ListenFlags): UsageError {
  const { code, message, ...where } = error as NodeJS.ErrnoException & { readonly port?: number };
  const isOperators = where.port === operatorPort && where.port !== port;
  const [flag, number] = isOperators ? ['--operator-port', operatorPort] : ['--port', port];
  switch (code) {
    case 'EADDRINUSE':
      return new UsageError(
        `${flag}: ${number} is in use at ${isOperators ? '127.0.0.1' : host}: end what listens there, or give another, 0 for any that is free`,
      );
    case 'EACCES':
      return new UsageError(`${flag}: ${number} may not be listened at by this user: give one above 1023`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new UsageError(
        `--host: ${host} is no address of this machine: give one of its own, such as 127.0.0.1`,
      );
    default:
      return new UsageError(`${flag}: ${number}: ${message}`);
  }
}
