import type { NamedFile } from '@candleproof/files/named-file';
import { Option } from 'commander';

/** Choices for the file of a flag. */
type Writing = Pick<NamedFile, 'mode' | 'isLeftBehind'> & {
  /** The command reads the file before it writes it: its form decides whether it is replaced, and no --force. */
  readonly isReadFirst?: boolean;
};

/** An option that names one file to write. Unless that is read first, its value is a NamedFile when the command runs. */
export class FileOption extends Option {
  readonly writing: Writing;

  constructor(flags: string, means: string, writing: Writing = {}) {
    super(flags, means);
    this.writing = writing;
  }
}

/** The flag of every command that writes a file which it has not read. */
export const forceFlag = ['--force', 'replace a file that is there already'] as const;

/** Returns whether a file is standard output. */
export function isStdout(named: NamedFile | undefined): boolean {
  return named?.file === '-';
}
