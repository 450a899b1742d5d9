import { UsageError } from '@candleproof/files/usage-error';

export type ListenFlags = { readonly port: number; readonly host?: string; readonly operatorPort?: number };

/** Returns in one line why a service did not start; `flag` is the one to mend if it is none of where it listens. */
export function startTrouble(error: unknown, flags: ListenFlags, flag = 'serve'): UsageError {
  if (error instanceof UsageError) return error;
  const { message, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'listen' || syscall === 'getaddrinfo') return listenTrouble(error, flags);
  return new UsageError(`${flag}: ${message.split('\n')[0]}`);
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
