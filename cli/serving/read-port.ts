import { readWholeNumber } from '../../files/read-numbers.ts';
import { UsageError } from '../../files/usage-error.ts';

/** 0 stands for any that is free; `flag` names what was given. Throws a UsageError. */
export function readPort(text: string, flag: string): number {
  const port = readWholeNumber(-1, text, flag);
  if (port > 65_535) throw new UsageError(`${flag}: ${port} is no port: give 0 to 65535`);
  return port;
}
