import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readNamedBytes } from '../../files/read-file.ts';
import type { KnownTexts } from '../secrets/recorded-secrets.ts';
import type { Attached } from './foreign-body.ts';
import { fromHar, LARGEST_HAR_BYTES, type ReadRecording } from './har.ts';
import { isArchive, openArchive } from './har-archive.ts';

/** Reads a recording that the caller named: HAR 1.2 with its bodies in it or beside it, or a zip of both. */
export function readHar(file: string, flag: string, known: KnownTexts = {}): ReadRecording {
  const bytes = readNamedBytes(file, flag, LARGEST_HAR_BYTES);
  if (!isArchive(bytes))
    return fromHar(bytes.toString('utf8'), file, { attached: besideOf(file, flag), ...known });
  const { text, attached } = openArchive(bytes, file, LARGEST_HAR_BYTES);
  return fromHar(text, file, { attached, ...known });
}

/** Returns a reader of plain files in the recording's folder, no more of them than a recording may hold. */
function besideOf(recording: string, flag: string): Attached {
  let left = LARGEST_HAR_BYTES;
  return (name) => {
    const file = join(dirname(recording), name);
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (!found?.isFile() || found.size > left) return undefined;
    left -= found.size;
    return readNamedBytes(file, flag, found.size);
  };
}
