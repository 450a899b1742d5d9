import { basename, isAbsolute, relative, resolve } from 'node:path';

/**
 * Returns a path as reports show it, which may be published: from the folder that the command runs in, or the last part
 * alone if it is outside.
 */
export function shownPath(path: string): string {
  const inside = relative(process.cwd(), resolve(path)).replaceAll('\\', '/');
  return inside === '' || isAbsolute(inside) || /^\.\.(\/|$)/.test(inside) ? basename(path) : inside;
}
