import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder whose disk a test can fill and free again for a process. */
export type LimitedDisk = {
  readonly folder: string;
  fill(pid: number): void;
  free(pid: number): void;
  close(): void;
};

/** Mounts a separate small disk if this machine allows it, else limits what the process may write. */
export function limitedDisk(): LimitedDisk {
  const folder = mkdtempSync(join(tmpdir(), 'candleproof-disk-'));
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder]).status === 0;
  return isMounted ? mounted(folder) : limited(folder);
}

function mounted(folder: string): LimitedDisk {
  const filler = join(folder, 'filler');
  return {
    folder,
    fill: () => {
      try {
        for (;;) appendFileSync(filler, Buffer.alloc(4096));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    },
    free: () => rmSync(filler),
    close: () => {
      spawnSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function limited(folder: string): LimitedDisk {
  const set = (pid: number, most: string): void => {
    const { status, stderr } = spawnSync('prlimit', ['--pid', String(pid), `--fsize=${most}:`], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`prlimit: ${stderr}`);
  };
  return {
    folder,
    fill: (pid) => set(pid, '1'),
    free: (pid) => set(pid, 'unlimited'),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
