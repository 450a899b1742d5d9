import { OneLineError } from '@candleproof/files/usage-error';
/** `unreachable` may pass by itself, such as a restarting server; `refused` needs a mend, such as a wrong password. */
export type PostgresTroubleKind = 'unreachable' | 'refused';

/** PostgreSQL cannot be used, in one line that names host and database, and no secret. */
export class PostgresTrouble extends OneLineError {
  override readonly name = 'PostgresTrouble';
  readonly kind: PostgresTroubleKind;

  constructor(kind: PostgresTroubleKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/**
 * States of SQL that pass: connections lost or too many, a server that starts or stops, locks and statements that took
 * too long, a full disk.
 */
const passing = /^(08|53|57P0|57014|55P03|25P03|40001|40P01|58)/;

/** SQL states that a user must resolve: the role, the database, its rights, and a read-only server. */
const refusing = /^(28|3D|3F|42501|25006|0A)/;

/** pg's messages without a code for a connection that is lost or comes too late. */
const lostConnection =
  /^(timeout e|Connection terminated|Query read timeout|Client (has encountered|was closed)|Cannot use a pool)/;

/** pg's messages without a code for a refused login. */
const refusedLogin = /^(SASL|The server does not support SSL|There was an error establishing an SSL)/;

/** Returns an error of pg that concerns the database as PostgresTrouble; any other as it is. */
export function explainTrouble(error: unknown, place: string): unknown {
  if (!(error instanceof Error) || error instanceof PostgresTrouble) return error;
  const kind = classifyError(error);
  if (kind === undefined) return error;
  const said = firstLine(error);
  const mend = kind === 'unreachable' ? '' : ': check user, password, database and rights';
  return new PostgresTrouble(
    kind,
    `PostgreSQL at ${place} is ${kind === 'unreachable' ? 'out of reach' : 'not open to us'} (${said})${mend}`,
  );
}

function classifyError(error: Error): PostgresTroubleKind | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined) {
    if (refusedLogin.test(error.message)) return 'refused';
    return lostConnection.test(error.message) ? 'unreachable' : undefined;
  }
  if (syscall !== undefined || error instanceof AggregateError) return 'unreachable';
  if (/^(ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|CERT_)/.test(code)) return 'refused';
  if (/^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]{4}$/.test(code)) {
    if (passing.test(code)) return 'unreachable';
    return refusing.test(code) ? 'refused' : undefined;
  }
  return /^E[A-Z]+$/.test(code) ? 'unreachable' : undefined;
}

/** The first line; several addresses of one host are reported without a separate message. */
function firstLine(error: Error): string {
  const [line = ''] = error.message.split('\n');
  return line || ((error as NodeJS.ErrnoException).code ?? error.name);
}
